"""Other names for the words of a sheet: from the source, from the rulebook, and from players' speech (GC-P-5).

Each entry maps a form or a word to the form or the word of `orders` that it means, with the same blanks. The reader, its hints, the
rulebook and the desk all use them.
"""

from __future__ import annotations

from collections.abc import Mapping

DIRECTIONS: Mapping[str, str] = {
    "east": "E", "west": "W", "north east": "NE", "north-east": "NE", "northeast": "NE", "north west": "NW", "north-west": "NW",
    "northwest": "NW", "south east": "SE", "south-east": "SE", "southeast": "SE", "south west": "SW", "south-west": "SW",
    "southwest": "SW",
}  # fmt: skip
MOVES: Mapping[str, str] = {
    **DIRECTIONS,
    "move {direction}": "{direction}",
    "go {direction}": "{direction}",
    "step {direction}": "{direction}",
    "PtA {direction}": "Prepare to Attack {direction}",
    "attack {direction}": "Prepare to Attack {direction}",
    "prepare attack {direction}": "Prepare to Attack {direction}",
    "PtA {direction} as lead": "Prepare to Attack {direction} as lead",
    "attack {direction} as lead": "Prepare to Attack {direction} as lead",
    "DD": "Defensive Deployment",
    "Claim": "Claim Territory",
    "Annex": "Annex Territory",
    "Annex as lead": "Annex Territory as lead",
    "Construct Settlement {settlement}": "Construct {settlement}",
    "Construct a {settlement}": "Construct {settlement}",
    "Build {settlement}": "Construct {settlement}",
    "Build a {settlement}": "Construct {settlement}",
    "Construct a Mine": "Construct Mine",
    "Build Mine": "Construct Mine",
    "Build a Mine": "Construct Mine",
    "Build a Road": "Build Road",
    "Road": "Build Road",
    "Improve Settlement {rank}": "Improve {rank}",
    "Improve Settlement to {rank}": "Improve {rank}",
    "Improve to {rank}": "Improve {rank}",
    "Cultivate Land": "Cultivate",
    "Clear Ash": "Clear",
    "Clear Land": "Clear",
    "Explore Ruin": "Explore Ruins",
    "Explore Ruin {hex}": "Explore Ruins {hex}",
    "Explore Ruins at {hex}": "Explore Ruins {hex}",
    "Force March": "Forced March",
    "Reform from {roster}": "Reform Army from {roster}",
    "Reform Army {roster}": "Reform Army from {roster}",
    "Nurture Forest {kind}": "Nurture Forest as {kind}",
    "Nurture {kind}": "Nurture Forest as {kind}",
    "Nurture as {kind}": "Nurture Forest as {kind}",
    "Nurture": "Nurture Forest",
    "Earthquake": "Generate Earthquake",
    "Earth Quake": "Generate Earthquake",
    "Generate Earth Quake": "Generate Earthquake",
    "Into Sands": "Into the Sands",
    "Skip {direction}, {next}": "Skip {direction} {next}",
    "Teleport to {hex}": "Teleport {hex}",
    "Ancient Teleporter to {hex}": "Ancient Teleporter {hex}",
    "Portal to {hex}": "Portal {hex}",
    "Emerge at {hex}": "Emerge {hex}",
    "Move {settlement} to {hex}": "Move {settlement} {hex}",
    "Underground Invasion at {hex}": "Underground Invasion {hex}",
    "Underground Invasion of {hex}": "Underground Invasion {hex}",
}
ACTS: Mapping[str, str] = {
    **DIRECTIONS,
    "move {direction}": "{direction}",
    "go {direction}": "{direction}",
    "Explore Ruins": "Explore Ruin",
    "Explore": "Explore Ruin",
    "Loot": "Loot Town",
    "Sabotage": "Sabotage Mine",
    "Patrol enemies": "Patrol",
    "Patrol none of {seat}": "Patrol all but {seat}",
    "Patrol none of: {seat}": "Patrol all but {seat}",
    "Patrol none of {seat} {other}": "Patrol all but {seat} and {other}",
    "Patrol all except {seat}": "Patrol all but {seat}",
    "Patrol all except {seat} and {other}": "Patrol all but {seat} and {other}",
    "Convert Gold {amount}": "Convert {amount} Gold",
    "Convert Gold & Weirdstone": "Convert Gold and Weirdstone",
    "Guerrilla Tactics against {seat} {army}": "Guerrilla Tactics {army} of {seat}",
    "Guerrilla Tactics {seat} {army}": "Guerrilla Tactics {army} of {seat}",
    "Guerilla Tactics {army} of {seat}": "Guerrilla Tactics {army} of {seat}",
    "Guerilla Tactics against {seat} {army}": "Guerrilla Tactics {army} of {seat}",
    "Portal to {hex}": "Portal {hex}",
    "Ancient Teleporter to {hex}": "Ancient Teleporter {hex}",
}
PURCHASES: Mapping[str, str] = {
    "{hex}": "claim {hex}",
    "Conquer Territory {hex}": "claim {hex}",
    "Conquer {hex}": "claim {hex}",
    "Seize Fortress {hex}": "seize {hex}",
    "Seize City {hex}": "seize {hex}",
    "Raze {hex}": "destroy {hex}",
    "none": "nothing",
    "conquer nothing": "nothing",
}
OUTCOMES: Mapping[str, str] = {
    "won": "win", "we won": "win", "I won": "win", "victory": "win", "lost": "loss", "we lost": "loss", "I lost": "loss", "defeat": "loss",
    "major victory": "major win", "major defeat": "major loss", "drawn": "draw", "tie": "draw", "i-concede": "I concede", "concede": "I concede",
    "we concede": "I concede", "not played": "stalemate",
}  # fmt: skip
NUMBERS: Mapping[str, str] = {
    word: str(number)
    for number, word in enumerate(("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1)
}
