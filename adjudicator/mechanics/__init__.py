"""What two or more games need: province boards, the movement solver, retreats, adjustments. Knows no game."""
