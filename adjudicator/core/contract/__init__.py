"""The contract between rulesets and the core: what a ruleset provides, and what helps to write one."""
