"""What is done with an archive, by the names of the commands that do it."""
