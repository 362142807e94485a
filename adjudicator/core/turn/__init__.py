"""One turn: its files, keys and sheets, and what is judged and written of it. Computes; `jobs.run` writes and `jobs.verify` compares.

`turn.yaml` is written when the turn opens (position) and completed when it is adjudicated (verdicts, events, rolls).
Where a ruleset has hidden information, `turn.yaml` holds what the public may see, `secret.age` holds all of it, and
`dispatches/SEAT.age` what each seat learns; when the game ends, the keys that open them are published.
"""
