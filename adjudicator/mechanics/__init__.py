"""Mechanics that several games share: boards, movement, retreats, adjustments, hexes, cards, bids. They know nothing of any single game."""
