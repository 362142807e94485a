"""Faults in words, YAML that people may write, and records as text: what every file of an archive goes through."""
