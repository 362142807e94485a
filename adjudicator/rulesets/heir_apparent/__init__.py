"""Heir Apparent: a card game of court for three to five. Its cards so far; there is no rulebook yet, and so nobody finds a ruleset here."""
