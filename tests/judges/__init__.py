"""Second judges: rulesets written again from only their rules, and compared with the first turn by turn."""
