"""Operations on an archive, most of them named after the command that runs them."""
