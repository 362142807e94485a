"""Second judges: rulesets written anew from their rules alone, and compared with the first turn by turn."""
