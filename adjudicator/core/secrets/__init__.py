"""Dice that nobody can steer, keys for each turn, and contents sealed to them."""
