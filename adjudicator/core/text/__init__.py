"""Problems in words, YAML that people may write, and records as text: used for every file of an archive."""
