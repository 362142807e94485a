"""One turn: its files, keys and sheets, and what is judged and written of it."""
