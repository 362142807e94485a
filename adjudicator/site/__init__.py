"""The archive as pages. Meets games only through the Ruleset record, and MkDocs only in `plugin`."""
