"""Everything that a rule reads can be set in a scene: what a scene does not name is worked out, and listed here."""

from __future__ import annotations

import msgspec
import pytest

from umpire.games.aos import scenes as aos
from umpire.games.aos import state as aos_state
from umpire.games.conquest import scenes as conquest
from umpire.games.conquest import state as conquest_state
from umpire.games.t9a import scenes as t9a
from umpire.games.t9a import state as t9a_state
from umpire.games.warcry import scenes as warcry
from umpire.games.warcry import state as warcry_state
from umpire.games.wh40k import scenes as wh40k
from umpire.games.wh40k import state as wh40k_state
from umpire.miniatures.positions import unsettable

ENGINE = ("agenda", "dice", "outcome", "without")
JOINED = ("members", "host", "joined_now", "engineer", "solid")
PHASE = ("fled", "target", "face", "spot", "range", "came", "redirected", "charged_out", "magic_moved", "hp_start",
         "ranged", "calm")  # fmt: skip
ROUND = ("locked", "locked_count", "holes")
LIST = ("paths", "choices", "items", "skill")
"""What an army list says and no rule reads after the battle has begun."""
SETTLED = ("pools", "klass", "books", "hereditary", "summons", "first", "player_turn", "phase", "finished", "placed",
           "pairs", "combats", "round", "card", "dice_pool", "attempts", "cast", "engineers", "swapped")  # fmt: skip
"""What the units and the moment give."""


@pytest.mark.parametrize(
    ("scene", "state", "worked_out"),
    [
        (warcry.SceneFighter, warcry_state.Fighter, ("role", "abilities", "answers")),
        (warcry.ScenePlayer, warcry_state.Player, ("name",)),
        # `attack` is between two questions of one action; `at` gives phase and turn, `terrain` the layout
        (warcry.Scene, warcry_state.State, (*ENGINE, "layout", "terrain_card", "monsters", "phase", "turn", "attack")),
        (aos.SceneUnit, aos_state.Unit, ("cx", "cy", "cr", "fights")),
        (aos.SceneSide, aos_state.Side, ("name",)),
        # `uses` are between two questions of one ability; `wounds_to_come` of the units are the pools
        (aos.Scene, aos_state.State, (*ENGINE, "lore", "regiments", "uses", "pools")),
        (conquest.SceneRegiment, conquest_state.Regiment, ("title", "own")),
        (conquest.SceneCharacter, conquest_state.Character, ("title", "bought")),
        # `moment`, `who`, `taken`, `allowed`, `done`, `last_legal` are the activation
        (conquest.Scene, conquest_state.State, (*ENGINE, "phase", "activation", "waiting", "redraw", "secondary")),
        (wh40k.SceneUnit, wh40k_state.Unit, ("keywords", "engaged", "cx", "cy", "cr")),
        (wh40k.SceneSide, wh40k_state.Side, ("name", "warlord")),
        # `step` and `picker` are set where a phase begins, `volley` is between two questions of one
        (wh40k.Scene, wh40k_state.State, (*ENGINE, "step", "picker", "volley", "lore", "bearers")),
        # A scene begins with a phase, and that begins anew what a phase remembers
        (t9a.SceneUnit, t9a_state.Unit, (*JOINED, *PHASE, *ROUND)),
        (t9a.SceneUnit, t9a_state.Pool, ("count", "unit", "destroyed", "dying", "fired", "cast", *LIST)),
        (t9a.Scene, t9a_state.State, (*ENGINE, *SETTLED)),
    ],
)
def test_a_scene_sets_all_that_the_state_holds(
    scene: type[msgspec.Struct], state: type[msgspec.Struct], worked_out: tuple[str, ...]
) -> None:
    assert unsettable(scene, state, worked_out) == []
