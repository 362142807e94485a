"""The contract between rulesets and the core."""
