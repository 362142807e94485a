"""One turn: its files, keys and sheets, and how it is judged. Except in `maps`, this only computes: `jobs.run` writes the files.

`turn.yaml` is written when the turn opens (position) and completed when it is judged (verdicts, events, rolls). If a ruleset has
hidden information, `turn.yaml` holds only what the public may see, `secret.age` holds all of it, and `dispatches/SEAT.age` holds what each
seat learns. When the game ends, the keys that open them are published.
"""
