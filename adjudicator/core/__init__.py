"""The parts that all games share: files, text, secrets, the contract with rulesets, games, turns and jobs. None depends on a ruleset."""
