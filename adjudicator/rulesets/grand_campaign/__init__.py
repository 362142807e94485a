"""The Grand Campaign: armies, cities and seasons on a map of hexes. In the making: not a ruleset until it has its rulebook."""
