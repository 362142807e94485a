"""Shapes on estates: house and crown, signs of events, the ground."""

HOUSE = "M-12-1l12-12 4 4v-4h4v8l4 4h-3v10h-6v-6h-6v6h-6v-10z"
CROWN = "M-15-10l7 8 8-11 8 11 7-8-3 20h-24z"
HUT = "M-8 8v-10l8-7 8 7v10z"
DOT = "M0-2a2 2 0 1 1-.1 0z"
BATTLE = "M-10-10l18 18m-18 0l18-18M2 8l6-6m-10 6l-6-6"
FRESH = "M0-10a10 10 0 1 1-.1 0zm-2 3h4v5h5v4h-5v5h-4v-5h-5v-4h5z"
"""A disc with a plus: a unit was raised."""
LOST = "M-11 10v-3h3v-9a8 8 0 0 1 16 0v9h3v3zm9.5-16v3.5h-4v3h4v7h3v-7h4v-3h-4v-3.5z"
"""A gravestone: a unit was lost."""
CHANGES = {"gone": LOST, "new": FRESH}

GROUND = {
    "f1": "M-54-8q30-10 60 0t50-6M-58 4q32-10 64 0t54-6M-58 16q32-10 64 0t54-6M-54 28q30-10 60 0t50-6",
    "f2": "M-40-30q-12 30-2 64M-24-30q-12 32-2 66M-8-30q-12 32-2 66M8-30q-12 32-2 66M24-30q-12 32-2 66M40-30q-12 30-2 64",
    "f3": "M-56-6l40 30M-48-18l52 40M-34-26l56 44M-14-28l54 42M8-28l44 34",
    "m1": "".join(f"M{x} {y}v-9m5 9l2-7m-12 7l-2-7" for x, y in ((-40, -2), (20, 24), (36, -8), (-20, 32))),
    "m2": "".join(f"M{x} {y}v-9m5 9l2-7m-12 7l-2-7" for x, y in ((-32, 18), (6, -8), (44, 14))),
    "w1": "".join(
        f"M{x} {y}a8 8 0 1 1 12 0zm6 0v7" for x, y in ((-54, -8), (-34, 8), (-50, 26), (18, -14), (38, 2), (14, 22))
    ),
    "w2": "".join(
        f"M{x} {y}l7-17 7 17zm7 0v6" for x, y in ((-56, 0), (-36, -12), (-42, 24), (10, -8), (32, 6), (42, 28))
    ),
    "h1": "M-58 10q18-32 40-2m-30-10l-4 10m12-12l-2 12m10-10l2 10M-6 30q24-40 54 0m-38-14l-5 12m15-16l-1 14m11-12l3 12",
    "h2": "M-44-4q16-28 36 0m-26-9l-4 9m12-11v10M14 4q18-32 42 0m-30-10l-5 10m14-13v12M-30 34q20-32 46 0m-32-11l-5 10m14-14l1 13",
}
CLOUDS = {
    "v1": "M-52-6q4-14 16-8q8-16 22-4q14-2 12 12zM2 26q4-14 16-8q8-16 22-4q14-2 12 12z",
    "v2": "M-6-14q4-14 16-8q8-16 22-4q14-2 12 12zM-54 26q4-14 16-8q8-16 22-4q14-2 12 12z",
}
TINTS = {"f": "ga", "m": "gb", "w": "gc", "h": "gd"}
"""The class of a plot without an owner, by the first letter of its ground."""


def ring(radius: int) -> str:
    """A circle around the origin, as a path."""
    return f"M0-{radius}a{radius} {radius} 0 1 1-.1 0z"
