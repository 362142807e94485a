"""Everything that reads and writes files. Links in an archive are never followed."""
