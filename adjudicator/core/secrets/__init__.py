"""Dice that nobody can steer, keys of a turn's own, and what is sealed to them."""
