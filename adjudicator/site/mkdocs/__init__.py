"""The parts of this site that involve MkDocs: the plugin, building and serving."""
