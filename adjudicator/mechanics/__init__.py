"""Mechanics that several games share: province boards, the movement solver, retreats, adjustments. Independent of any game."""
