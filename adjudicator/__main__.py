"""`python -m adjudicator` is the `courtly` command."""

from adjudicator.cli import main

if __name__ == "__main__":
    main(prog_name="courtly")
