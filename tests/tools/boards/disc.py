"""The disc about the pole: the projection, its rim made a circle, and the flow that gives provinces the room they need."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import shapely
from shapely import Geometry

from tests.tools.boards.common import EARTH, Array

STEP = 10.0
"""The side of a cell of the grid that provinces grow on, in kilometres."""
CIRCLE = np.radians(np.arange(720) / 2)
"""Angles of the points of the rim."""
POOL, MESH = 1.3, 256
"""Half the side of the square around the flowing disc with radius 1, and the number of cells along its side."""
BLUR, STEEPEST, STROKES = 3.0, 2.0, 24
"""Blur of the crowding in cells, highest ratio of a spot's crowding to the mean, and steps of a flow."""


def polar(degrees: Any) -> Array:
    """Kilometres from the pole for [longitude, latitude]: equal areas, Greenwich downward."""
    longitude, latitude = np.radians(np.asarray(degrees, dtype=float).reshape(-1, 2)).T
    away = 2 * EARTH * np.sin((math.pi / 2 - latitude) / 2)
    return np.column_stack([away * np.sin(longitude), -away * np.cos(longitude)])


def rim(angles: Array, data: dict[str, Any]) -> Array:
    """Distance of the rim from the pole, in kilometres, at angles in the plane."""
    longitude = np.degrees(angles) + 90
    west, east = data["south"]["between"]
    past = (longitude - west) % 360
    into = np.clip(np.minimum(past, east - west - past) / data["south"]["soft"], 0, 1)
    near, far = (
        2 * EARTH * math.sin(math.radians(90 - parallel) / 2)
        for parallel in (data["north of"], data["south"]["north of"])
    )
    return np.asarray(near + (far - near) * into**2 * (3 - 2 * into) - STEP)


class Disc:
    """From kilometres to the canvas: the rim becomes a circle, and provinces flow to the room they need.

    The flow is that of Gastner, Seguy and More (2018): out of crowded regions, and never over itself. After each round the
    rim is made round again.
    """

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self.width, self.height = data["canvas"]
        self.radius = self.width / 2 - data["margin"]
        self.moves: list[Callable[[Array], Array]] = []
        middles, radii, amounts = [], [], []
        for longitude, latitude, radius, amount in data["bulges"]:
            middles.append(self.level(polar([[longitude, latitude]]))[0])
            radii.append(radius / rim(np.zeros(1), data)[0])
            amounts.append(amount)
        self.bulges = (middles, radii, amounts)
        self.add(self.bulge)

    def bulge(self, at: Array) -> Array:
        """Points of the disc, moved by the local magnifications."""
        moved = at
        for middle, radius, amount in zip(*self.bulges, strict=True):
            offset = moved - middle
            moved = moved + offset * (amount * np.exp(-(offset**2).sum(axis=1) / (2 * radius**2)))[:, None]
        return moved

    def level(self, at: Array) -> Array:
        """Points of the disc with radius 1 for positions in kilometres."""
        return at / rim(np.arctan2(at[:, 1], at[:, 0]), self.data)[:, None]

    def __call__(self, at: Array) -> Array:
        """Canvas positions for positions in kilometres from the pole."""
        at = self.level(at)
        for move in self.moves:
            at = move(at)
        return at * (self.radius, -self.radius) + (self.width / 2, self.height / 2)

    def add(self, push: Callable[[Array], Array]) -> None:
        """Adds a movement of all points, and makes the rim round again."""
        edge = push(np.column_stack([np.cos(CIRCLE), np.sin(CIRCLE)]))
        angles, lengths = np.arctan2(edge[:, 1], edge[:, 0]), np.hypot(edge[:, 0], edge[:, 1])

        def move(at: Array) -> Array:
            at = push(at)
            return at / np.interp(np.arctan2(at[:, 1], at[:, 0]), angles, lengths, period=2 * math.pi)[:, None]

        self.moves.append(move)

    def settle(self, shapes: dict[str, Geometry], wants: dict[str, float]) -> None:
        """Lets provinces, in kilometres, flow towards the shares of the disc that they want."""
        level = {name: shapely.transform(shape, self.level) for name, shape in shapes.items()}
        for move in self.moves:
            level = {name: shapely.transform(shape, move) for name, shape in level.items()}
        share = math.pi / math.fsum(wants.values())
        for _ in range(self.data["rounds"]):
            self.add(flow({name: (shape, wants[name] * share / shape.area) for name, shape in level.items()}))
            level = {name: shapely.transform(shape, self.moves[-1]) for name, shape in level.items()}


def flow(crowded: dict[str, tuple[Geometry, float]]) -> Callable[[Array], Array]:
    """Map of points along a flow that makes all shapes equally crowded, given the crowding of each."""
    side = 2 * POOL / MESH
    along = (np.arange(MESH) + 0.5) * side - POOL
    x, y = np.meshgrid(along, along)
    density = np.ones((MESH, MESH))
    for shape, crowd in crowded.values():
        shapely.prepare(shape)
        density[shapely.contains_xy(shape, x, y)] = np.clip(crowd, 1 / STEEPEST, STEEPEST)
    waves = np.fft.fftfreq(MESH) * 2 * math.pi
    square = waves[None, :] ** 2 + waves[:, None] ** 2
    spectrum = np.fft.fft2(density) * np.exp(-square * BLUR**2 / 2)
    density = np.fft.ifft2(spectrum).real
    mean = float(density.mean())
    square[0, 0] = 1
    potential = -spectrum / square
    potential[0, 0] = 0
    across, down = (np.fft.ifft2(1j * wave * potential).real for wave in (waves[None, :], waves[:, None]))

    def move(at: Array) -> Array:
        for step in range(STROKES):
            at = at + speed(at + speed(at, step / STROKES) / 2, (step + 0.5) / STROKES)
        return at

    def speed(at: Array, time: float) -> Array:
        """Displacement of points in one stroke, at a time of the flow."""
        cell = np.clip((at + POOL) / side - 0.5, 0, MESH - 1.001)
        column, row = cell.astype(int).T
        right, below = (cell - np.floor(cell)).T

        def level(values: Array) -> Array:
            upper = values[row, column] * (1 - right) + values[row, column + 1] * right
            lower = values[row + 1, column] * (1 - right) + values[row + 1, column + 1] * right
            return upper * (1 - below) + lower * below

        now = level(density) * (1 - time) + mean * time
        return np.column_stack([level(across), level(down)]) / now[:, None] * (side / STROKES)

    return move
