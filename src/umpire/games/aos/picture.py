"""What clients draw and read: pieces, cards, terrain, markers, names, ready armies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from umpire.engine.picture import Arm, Block, Card, Picture, Piece, Shape, Value, facts
from umpire.games.aos import content, numbers
from umpire.games.aos.composition import muster, total
from umpire.games.aos.describe import describe
from umpire.games.aos.numbers import wards
from umpire.games.aos.objectives import MARKER
from umpire.games.aos.profiles import AbilityData
from umpire.games.aos.state import PHASES, Feature, Model, Part, State, Unit
from umpire.games.aos.units import COMBAT_RANGE
from umpire.miniatures import pictures
from umpire.miniatures.menus import layouts, loose_name, offered, ready_armies
from umpire.text import Text, words

BLOCKS = {
    "area": "hill",
    "obstacle": "obstacle",
    "place-of-power": "statue",
    "impassable": "water",
}


def card(state: State, unit: Unit) -> Card:
    scroll = unit.profile
    values = [
        pictures.value(Text(f"value.{what}"), base, numbers.value(state, unit, what, base))
        for what, base in (("move", scroll.move), ("health", scroll.health), ("control", scroll.control))
    ]
    values.append(Value(Text("value.save"), pictures.plus(scroll.save), pictures.plus(scroll.save)))
    ward = wards(state, unit)
    if ward:
        values.append(Value(Text("value.ward"), pictures.plus(scroll.ward), pictures.plus(min(ward))))
    weapons = tuple(
        Arm(
            w.name,
            facts(
                range=w.range or COMBAT_RANGE,
                attacks=w.attacks,
                hit=pictures.plus(w.hit),
                wound=pictures.plus(w.wound),
                rend=w.rend,
                damage=w.damage,
                abilities=[
                    Text("weapon.anti", {"what": Text(f"keyword.{a[5:]}")})
                    if a.startswith("anti-")
                    else Text(f"weapon.{a}")
                    for a in w.abilities
                ],
            ),
        )
        for w in scroll.weapons
    )
    tags = [Text(f"keyword.{keyword.replace(' ', '-')}") for keyword in scroll.keywords]
    ran = "run" in unit.keywords_turn
    tags += pictures.tagged((unit.fights, "tag.in-combat"), (unit.charged, "tag.charged"), (ran, "tag.ran"))
    tags += pictures.tagged((unit.empowered, "tag.empowered"))
    if unit.ritual:
        tags.append(Text("tag.ritual", {"points": unit.ritual}))
    rules = tuple({"name": data.name, "text": data.text or describe(data)} for data in known_abilities(state, unit))
    return pictures.loose_card(
        unit,
        scroll,
        name(state, unit.id),
        (len(unit.models) * scroll.health - unit.damage, unit.size * scroll.health),
        values=tuple(values),
        weapons=weapons,
        tags=tuple(tags),
        rules=rules,
        done=unit.core,
        away=unit.where in ("roster", "reserve"),
    )


def known_abilities(state: State, unit: Unit) -> list[AbilityData]:
    """What is written on its warscroll, its enhancements, its lores and, for the general, the battle formation."""
    side = state.sides[unit.side]
    found = [*unit.profile.abilities, *(state.lore.abilities[key] for key in unit.enhancements)]
    if unit.id == side.general and side.formation:
        found.append(state.lore.abilities[side.formation])
    spells = [*(side.spells if unit.profile.wizard else ()), *(side.prayers if unit.profile.priest else ())]
    if unit.profile.wizard or unit.profile.priest:
        spells += side.summons
    return found + [state.lore.abilities[key] for key in spells if key in state.lore.abilities]


def block_kind(feature: Feature, part: Part) -> str:
    """How a part of a feature is drawn: what lets sight through lies on the ground, what is long and thin is a wall."""
    if feature.type == "obscuring":
        return "forest" if not part.opaque else "wall" if part.r > 2 else "trunk"
    if part.top <= 1 and not (feature.type == "obstacle" and part.opaque):
        return "hill" if part.opaque else "water" if feature.type == "impassable" else "area"
    return BLOCKS.get(feature.type, "building")


FIGURES = {
    "monster": "monster",
    "war machine": "engine",
    "cavalry": "horse",
    "beast": "beast",
    "manifestation": "beast",
    "hero": "hero",
}


def models(unit: Unit) -> list[Piece]:
    scroll = unit.profile
    shape, whole = pictures.footprint(*scroll.radii), scroll.health
    kind = pictures.figure(FIGURES, scroll.keywords.__contains__)

    def drawn(n: int, m: Model) -> tuple[Shape, float, int, int]:
        return shape, scroll.height, whole - (0 if n else unit.damage), whole

    return pictures.loose_models(unit, scroll, kind, drawn)


def pieces(state: State, key: str) -> list[Piece]:
    return pictures.loose_pieces(state, key, models, "slain")


def to_act(state: State) -> Iterator[str]:
    """Units that have not used a core ability in this phase, where that is what they are asked for."""
    for unit in state.units.values():
        if not unit.on_table or unit.core or unit.profile.kind != "unit":
            continue
        mine = unit.side == state.active
        free = state.phase == "charge" and mine and not unit.fights
        shoots = state.phase == "shooting" and mine and any(w.range for w in unit.profile.weapons)
        fights = state.phase == "combat" and bool(unit.fights)
        if (state.phase == "movement" and mine) or free or shoots or fights:
            yield unit.id


def board(state: State) -> Picture:
    """The picture without its cards."""
    plan = state.plan
    owners = [side.territory for side in state.sides]
    shown = [u for u in state.units.values() if u.where == "table" and u.profile.kind != "terrain"]
    return pictures.loose_board(
        state,
        plan,
        pictures.Ground("territory", plan.territories, owners, MARKER, COMBAT_RANGE + MARKER, "grass", PHASES),
        [piece for unit in shown for piece in models(unit)],
        lambda feature: [Block(block_kind(feature, part), part.points, 0.0, part.top) for part in feature.parts],
        lambda feature: [Text(f"terrain.{ability}") for ability in feature.abilities],
        [side.command for side in state.sides],
        to_act(state),
    )


picture, card_of = pictures.with_cards(board, lambda state: state.units, card)


def name(state: State, key: str) -> Mapping[str, str] | None:
    return loose_name(key, state, lambda unit: unit.profile, lambda n: words("menu.aos.objective", n=n))


def library() -> Mapping[str, Any]:
    """Ready armies, battleplans and options for a client's menus."""
    sizes = [1000, 2000]
    return offered(
        {"id": "points", "values": sizes, "default": 1000, "name": words("menu.aos.points")},
        ready_armies(content.factions(), "points", sizes, muster, total),
        [{"id": plan.id, "name": plan.name, "text": plan.text} for plan in content.core().battleplans],
        [layouts(content.core().layouts, words("menu.aos.terrain-layout"))],
        ("tidewardens cinderclans", 1000, ("ask.tactic", "ask.move", "ask.ability:charge")),
    )
