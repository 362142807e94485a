"""Operations on an archive, by the names of the commands that run them."""
