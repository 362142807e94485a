"""What a ruleset is, and what it and the core say to each other."""
