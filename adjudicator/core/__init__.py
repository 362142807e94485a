"""What every game needs: files, values, problems, dice, turns. Knows no game."""
