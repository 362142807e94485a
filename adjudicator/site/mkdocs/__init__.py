"""MkDocs, as far as this site has to do with it: the plugin, building and serving."""
