"""The parts of `site` that involve MkDocs: the plugin, building and serving."""
