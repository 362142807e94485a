"""The nearest refuge of a defeated army, checked against the definition: the shortest of all paths, tried one by one (GC-V-7)."""

from __future__ import annotations

from pathlib import Path

from adjudicator.core.game.archive import Archive
from adjudicator.core.secrets.dice import NamedDice
from adjudicator.core.turn.load import load_game, load_turn
from adjudicator.rulesets.grand_campaign.havens import nearest, rank_of, refuges_of, way_for
from adjudicator.rulesets.grand_campaign.world import World


def test_the_nearest_refuge_is_that_of_the_shortest_path(root: Path) -> None:
    """From every hex of the map in turns of a real game: refuges within reach, beside it, out of reach, and the hex itself."""
    archive = Archive(root)
    game = load_game(archive, "the-amber-reach")
    compared, none = 0, 0
    for name in archive.turns("the-amber-reach")[4::7]:
        world = World(load_turn(archive, game, name).data.position, {}, NamedDice(b"nearest"))
        for army in [*world.armies.values()][:3]:
            refuges = refuges_of(world, army)
            open_ = way_for(world, army)
            for here in world.grid.hexes[::5]:
                paths = {label: path for label in refuges if (path := world.grid.path(here, label, open_)) is not None}
                label = min(paths, key=lambda one: (len(paths[one]), rank_of(world, one)), default=None)
                assert nearest(world, army, here, refuges) == (None if label is None else (label, paths[label]))
                compared += 1
                none += label is None
        assert nearest(world, army, world.grid.hexes[0], []) is None
    assert compared > 300
    assert none < compared
