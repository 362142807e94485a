"""Mechanics that several games share: boards, movement, retreats, adjustments, hexes, cards, bids. Independent of any game."""
