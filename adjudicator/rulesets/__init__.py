"""One folder per game. A folder with a `RULESET` in its `__init__.py` is a ruleset; nothing else lists them."""
