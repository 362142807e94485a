"""Other names for the words of a sheet: from the source, from the rulebook, and from players' speech (GC-P-5).

Each entry maps a form or a word to the form or the word of `orders` that it means, with the same blanks. The reader, its hints, the
rulebook and the desk all use them.
"""

from __future__ import annotations

from collections.abc import Mapping

DIPLOMACY: Mapping[str, str] = {
    "declare war on {seat}": "war with {seat}",
    "declare war with {seat}": "war with {seat}",
    "war on {seat}": "war with {seat}",
    "war against {seat}": "war with {seat}",
    "war: {seat}": "war with {seat}",
    "war {seat}": "war with {seat}",
    "form alliance with {seat}": "alliance with {seat}",
    "form an alliance with {seat}": "alliance with {seat}",
    "ally with {seat}": "alliance with {seat}",
    "alliance: {seat}": "alliance with {seat}",
    "alliance {seat}": "alliance with {seat}",
    "break alliance with {seat}": "dissolve alliance with {seat}",
    "break the alliance with {seat}": "dissolve alliance with {seat}",
    "end alliance with {seat}": "dissolve alliance with {seat}",
    "dissolve the alliance with {seat}": "dissolve alliance with {seat}",
    "dissolve alliance {seat}": "dissolve alliance with {seat}",
    "peace treaty with {seat}": "peace with {seat}",
    "peace treaty {seat}": "peace with {seat}",
    "offer peace to {seat}": "peace with {seat}",
    "make peace with {seat}": "peace with {seat}",
    "peace: {seat}": "peace with {seat}",
    "peace {seat}": "peace with {seat}",
    "peace treaty with {seat}: {goods} for {price}": "peace with {seat}: {goods} for {price}",
    "peace with {seat} {goods} for {price}": "peace with {seat}: {goods} for {price}",
    "trade with {seat} {goods} for {price}": "trade with {seat}: {goods} for {price}",
    "trade {goods} for {price} with {seat}": "trade with {seat}: {goods} for {price}",
    "approve-faction: {seat} {faction}": "approve {seat} as {faction}",
    "approve-faction {seat} {faction}": "approve {seat} as {faction}",
    "approve faction {seat} {faction}": "approve {seat} as {faction}",
    "approve {seat}: {faction}": "approve {seat} as {faction}",
    "joust for artifacts: {army} {character}": "joust for Artefacts: {army} {character}",
}
SPENDING: Mapping[str, str] = {
    "recruit army {army} from {roster} at {hex}": "army {army} from {roster} at {hex}",
    "recruit {army} from {roster} at {hex}": "army {army} from {roster} at {hex}",
    "new army {army} from {roster} at {hex}": "army {army} from {roster} at {hex}",
    "army {army} from {roster} in {hex}": "army {army} from {roster} at {hex}",
    "{army} from {roster} at {hex}": "army {army} from {roster} at {hex}",
    "party {party} of {number} {type} in {hex}": "party {party} of {number} {type} at {hex}",
    "party {party}: {number} {type} at {hex}": "party {party} of {number} {type} at {hex}",
    "recruit party {party} of {number} {type} at {hex}": "party {party} of {number} {type} at {hex}",
    "hire {number} members for {party}": "hire {number} for {party}",
    "hire {number} member for {party}": "hire {number} for {party}",
    "hire {number} members for party {party}": "hire {number} for {party}",
    "golden age {hex}": "golden age at {hex}",
    "golden age in {hex}": "golden age at {hex}",
    "golden age: {hex}": "golden age at {hex}",
}
STANDING: Mapping[str, str] = {
    "stand aside: {army}": "stand aside {army}",
    "{army} stands aside": "stand aside {army}",
    "answer: {armies}": "answer with {armies}",
    "answer {armies}": "answer with {armies}",
    "bearer of {army} is {character}": "bearer of {army}: {character}",
    "bearer {army}: {character}": "bearer of {army}: {character}",
    "next general promote {army} at {hex}": "next General: promote {army} at {hex}",
    "next general {roster} at {hex}": "next General: {roster} at {hex}",
}
RESULTS: Mapping[str, str] = {
    "{battle} {result}": "{battle}: {result}",
    "{battle} {result} in {scenario}": "{battle}: {result} in {scenario}",
}
DEEDS: Mapping[str, str] = {
    "{battle}: {who} slew monster": "{battle}: {who} slew a monster",
    "{battle}: {who} killed a monster": "{battle}: {who} slew a monster",
    "{battle}: {who} killed {number} monsters": "{battle}: {who} slew {number} monsters",
    "{battle}: {who} lost standard": "{battle}: {who} lost the standard",
    "{battle}: {who} lost their standard": "{battle}: {who} lost the standard",
    "{battle}: {who} killed {foe}": "{battle}: {who} beat {foe}",
    "{battle}: {who} defeated {foe}": "{battle}: {who} beat {foe}",
    "{battle}: {who} died": "{battle}: {who} fell",
}
BONUS: Mapping[str, str] = {
    "{battle}: photo {link}": "{battle}: photos {link}",
    "{battle}: report": "{battle}: account",
}
SKIRMISHES: Mapping[str, str] = {
    "{skirmish}: draw": "{skirmish}: tie",
    "{skirmish}: unplayed": "{skirmish}: not played",
}

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
