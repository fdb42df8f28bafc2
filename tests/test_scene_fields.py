"""Everything that a rule reads can be set in a scene: what a scene does not name is worked out, and listed."""

from __future__ import annotations

import msgspec
import pytest

from umpire.errors import UmpireError
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
from umpire.miniatures import checks
from umpire.miniatures.positions import carry_over, marks_of

ENGINE = ("agenda", "dice", "outcome", "without")
SETTLED = ("pools", "klass", "books", "hereditary", "summons", "first", "player_turn", "phase", "finished", "placed",
           "pairs", "combats", "round", "card", "tallies", "dice_pool", "attempts", "cast",
           "engineers", "swapped")  # fmt: skip
"""What the units and the moment give; no rule reads `tallies`, which is kept for the sake of older records."""


@pytest.mark.parametrize(
    ("scene", "state", "worked_out"),
    [
        # `attack` is between two questions of one action; `at` gives phase and turn, `terrain` the layout; no rule
        # counts what was `used`
        (warcry.Scene, warcry_state.State, ("layout", "terrain_card", "monsters", "phase", "turn", "attack", "used")),
        # `uses` are between two questions of one ability; `wounds_to_come` of the units are the pools
        (aos.Scene, aos_state.State, ("lore", "regiments", "uses", "pools")),
        # `moment`, `who`, `taken`, `allowed`, `done`, `last_legal` are the activation
        (conquest.Scene, conquest_state.State, ("phase", "activation", "waiting", "redraw", "secondary")),
        # `step` and `picker` are set where a phase begins, `volley` is between two questions of one
        (wh40k.Scene, wh40k_state.State, ("step", "picker", "volley", "lore", "bearers")),
        (t9a.Scene, t9a_state.State, SETTLED),
    ],
)
def test_a_scene_sets_all_that_the_state_holds(
    scene: type[msgspec.Struct], state: type[msgspec.Struct], worked_out: tuple[str, ...]
) -> None:
    known = (*scene.__struct_fields__, *worked_out, *ENGINE)
    assert [field for field in state.__struct_fields__ if field not in known] == []


class Piece(msgspec.Struct):
    id: str
    spot: float
    wounds: int = 0
    marks: tuple[str, ...] = ()
    engaged: bool = False


@marks_of(Piece, but=("engaged",))
class ScenePiece(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    id: str
    spot: float = 3.0


def test_what_a_piece_of_a_scene_tells_comes_from_the_state() -> None:
    given = msgspec.convert({"id": "a", "wounds": 2, "marks": ["ran"]}, ScenePiece)
    made = Piece("a", 0.0)
    carry_over(given, made)
    assert made == Piece("a", 3.0, 2, ("ran",))
    with pytest.raises(msgspec.ValidationError, match="engaged"):
        msgspec.convert({"id": "a", "engaged": True}, ScenePiece)
    with pytest.raises(TypeError, match="spot"):

        @marks_of(Piece)
        class Forgetful(msgspec.Struct, kw_only=True):
            id: str


@pytest.mark.parametrize(
    ("given", "where"), [({"wounds": 4}, "units[0].wounds"), ({"marks": ["ran", "hid"]}, "units[0].marks[1]")]
)
def test_numbers_and_names_that_cannot_be_are_refused_with_their_field(given: dict[str, object], where: str) -> None:
    piece = msgspec.convert({"id": "a", **given}, ScenePiece)
    with pytest.raises(UmpireError) as refused:
        checks.fields(piece, "units[0]", {"marks": ("mark", ["ran"])}, {"wounds": (0, 3)})
    assert refused.value.where == where
    checks.fields(msgspec.convert({"id": "a"}, ScenePiece), "", {"marks": ("mark", ["ran"])}, {"wounds": (0, 3)})
