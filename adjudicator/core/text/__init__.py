"""Faults in words, YAML that people write by hand, and records as text. All YAML in an archive is parsed and formatted here."""
