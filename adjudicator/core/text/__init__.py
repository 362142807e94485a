"""Problems in words, YAML that people write by hand, and records as text. Every file of an archive is read and written here."""
