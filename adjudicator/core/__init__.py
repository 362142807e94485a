"""Parts that every game needs: files, values, problems, dice, turns. They do not depend on any game."""
