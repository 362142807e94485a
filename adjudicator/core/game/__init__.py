"""An archive's games: their folders, settings, deadlines and rulings, and how people join."""
