"""An archive's games: their folders, charters, deadlines, rulings and how people join."""
