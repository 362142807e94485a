"""Dice that nobody can rig, keys for each turn, and contents sealed with them."""
