"""All reading and writing of files, without following links."""
