"""Everything that a rule reads can be set in a scene: what a scene does not name is worked out, and listed here."""

from __future__ import annotations

import msgspec
import pytest

from umpire.games.aos import scenes as aos
from umpire.games.aos import state as aos_state
from umpire.games.conquest import scenes as conquest
from umpire.games.conquest import state as conquest_state
from umpire.games.warcry import scenes as warcry
from umpire.games.warcry import state as warcry_state
from umpire.miniatures.positions import unsettable

ENGINE = ("agenda", "dice", "outcome", "without")


@pytest.mark.parametrize(
    ("scene", "state", "worked_out"),
    [
        (warcry.SceneFighter, warcry_state.Fighter, ("role",)),
        (warcry.ScenePlayer, warcry_state.Player, ()),
        # `attack` is between two questions of one action; `at` gives phase and turn, `terrain` the layout
        (warcry.Scene, warcry_state.State, (*ENGINE, "layout", "terrain_card", "monsters", "phase", "turn", "attack")),
        (aos.SceneUnit, aos_state.Unit, ("cx", "cy", "cr", "fights")),
        (aos.SceneSide, aos_state.Side, ("name",)),
        # `uses` are between two questions of one ability; `wounds_to_come` of the units are the pools
        (aos.Scene, aos_state.State, (*ENGINE, "lore", "regiments", "uses", "pools")),
        (conquest.SceneRegiment, conquest_state.Regiment, ("title", "own")),
        (conquest.SceneCharacter, conquest_state.Character, ("title", "bought")),
        # `moment`, `who`, `taken`, `allowed`, `done`, `last_legal` are the activation
        (conquest.Scene, conquest_state.State, (*ENGINE, "phase", "activation", "waiting", "redraw")),
    ],
)
def test_a_scene_sets_all_that_the_state_holds(
    scene: type[msgspec.Struct], state: type[msgspec.Struct], worked_out: tuple[str, ...]
) -> None:
    assert unsettable(scene, state, worked_out) == []
