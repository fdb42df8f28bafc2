"""What clients draw and read: pieces, cards, terrain, markers, names, ready armies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import msgspec

from umpire.engine.picture import Arm, Block, Card, Picture, Piece, Shape, Value, facts
from umpire.games.wh40k import content, describe
from umpire.games.wh40k.characteristics import number, printed
from umpire.games.wh40k.drafting import muster
from umpire.games.wh40k.missions import CONTROL, MARKER
from umpire.games.wh40k.mustering import SIZES, total
from umpire.games.wh40k.profiles import amount
from umpire.games.wh40k.state import PHASES, Feature, Model, Options, State, Unit
from umpire.miniatures import pictures
from umpire.miniatures.loose.bodies import half_length
from umpire.miniatures.menus import layouts, loose_name, offered, readings, ready_armies
from umpire.text import Text, both, words

BLOCKS = {
    "ruins": "area", "craters": "area", "armoured-containers": "building", "barricades": "obstacle", "woods": "forest",
    "debris": "obstacle", "industrial-structures": "building", "statuary": "statue", "ruined-walls": "wall",
}  # fmt: skip


def shape(model: Model) -> Shape:
    if model.hull:
        return Shape("rect", 2 * model.q, 2 * half_length(model))
    return pictures.footprint(model.r, model.q)


def card(state: State, unit: Unit) -> Card:
    sheet = unit.sheet
    values = []
    models = (*unit.models, *unit.dead)[:1]  # none of a unit that was taken apart (it became several)
    for model, what in product(models, ("m", "ws", "bs", "s", "t", "w", "a", "ld", "sv")):
        base, label = printed(state, unit, model, what), Text(f"value.{what}")
        fixed = what == "w" or amount(base).random
        shown = Value(label, base, base) if fixed else pictures.value(label, base, number(state, unit, model, what))
        if what in ("ws", "bs", "sv"):
            shown = msgspec.structs.replace(shown, base=pictures.plus(int(base)), now=pictures.plus(int(shown.now)))
        values.append(shown)
    weapons = tuple(
        Arm(
            p.name or w.name,
            facts(
                range=p.range,
                type=Text(f"type.{p.type}"),
                attacks="" if p.melee else p.attacks,
                strength=Text("strength.user") if p.s == "user" else p.s,
                ap=p.ap,
                damage=p.d,
                abilities=[weapon_rule(rule) for rule in p.rules],
            ),
        )
        for w in sheet.weapons
        for p in w.profiles
    )
    flags = ((unit.engaged, "tag.engaged"), ("charged" in unit.marks, "tag.charged"), (unit.action, "tag.action"))
    tags = [Text(f"keyword.{word}") for word in sheet.keywords]
    tags += pictures.tagged(*flags, (unit.move, f"move.{unit.move}"))
    whole = sum(sheet.row(m.row).w for m in (*unit.models, *unit.dead))
    return pictures.loose_card(
        unit,
        sheet,
        name(state, unit.id),
        (sum(m.wounds for m in unit.models), whole),
        values=tuple(values),
        weapons=weapons,
        tags=tuple(tags),
        rules=tuple(rules(state, unit)),
        away=unit.where not in ("table", "gone"),
    )


def weapon_rule(rule: str) -> Text:
    """A rule of a weapon, which may end in a number: "poison-4"."""
    word = rule.rstrip("0123456789")
    return Text(f"weapon.{word.rstrip('-')}", {"n": rule[len(word) :]})


def rules(state: State, unit: Unit) -> Iterator[dict[str, Any]]:
    """What a card tells beside numbers and weapons: abilities, what else stands on the datasheet, powers known."""
    for ability in (*unit.sheet.abilities, *unit.gifts):
        yield {"name": ability.name, "text": describe.ability(ability)}
    yield from describe.sheet(unit.sheet, [unit.sheet.row(m.row) for m in (*unit.models, *unit.dead)])
    for power in (state.lore.powers[key] for key in unit.powers if key in state.lore.powers):
        yield {"name": power.name, "text": describe.power(power)}


def models(unit: Unit) -> list[Piece]:
    def drawn(n: int, m: Model) -> tuple[Shape, float, int, int]:
        return shape(m), m.height, m.wounds, unit.sheet.row(m.row).w

    return pictures.loose_models(unit, unit.sheet, pictures.figure(FIGURES, unit.has), drawn)


FIGURES = {
    "aircraft": "flyer", "building": "engine", "artillery": "engine", "monster": "monster", "vehicle": "vehicle",
    "biker": "horse", "cavalry": "horse", "beast": "beast", "swarm": "beast", "character": "hero",
}  # fmt: skip


def pieces(state: State, key: str) -> list[Piece]:
    return pictures.loose_pieces(state, key, models, "dead")


def _blocks(feature: Feature) -> Iterator[Block]:
    """The footprint on the ground, and what stands on it."""
    if feature.category == "hill":
        yield from (Block("hill", p.points, p.floor, p.top) for p in feature.parts)
        return
    if feature.parts:
        yield Block("area", feature.points, 0.0, 0.1)
    else:
        yield Block(BLOCKS[feature.type], feature.points, 0.0, feature.height)
    for part in feature.parts:
        kind = BLOCKS[feature.type] if part.kind == "body" else part.kind
        yield Block("obstacle" if kind == "area" else kind, part.points, part.floor, part.top)


DONE_BY = {"movement": "moved", "psychic": "cast-over", "shooting": "shot", "charge": "charge-tried", "fight": "fought"}


def to_act(state: State) -> Iterator[str]:
    """Units that have not yet done what this phase is for."""
    done = DONE_BY.get(state.phase)
    for unit in state.units.values():
        if done is None or not unit.on_table or done in unit.acts or (done == "moved" and unit.move):
            continue
        mine = unit.side == state.active
        if state.phase == "fight":
            able = bool(unit.engaged) and not unit.fights
        elif state.phase == "psychic":
            able = mine and bool(unit.powers)
        elif state.phase == "movement":
            able = mine
        else:
            able = mine and not unit.engaged and unit.move not in ("fall-back", "advance")
        if able:
            yield unit.id


def board(state: State) -> Picture:
    """The picture without its cards."""
    mission = state.mission
    owners = [side.zone for side in state.sides]
    return pictures.loose_board(
        state,
        mission,
        pictures.Ground("zone", mission.zones, owners, MARKER, CONTROL + MARKER, "ash", PHASES),
        [piece for u in state.units.values() if u.where == "table" for piece in models(u)],
        _blocks,
        lambda feature: [Text(f"trait.{trait}") for trait in feature.traits],
        [side.cp for side in state.sides],
        to_act(state),
    )


picture, card_of = pictures.with_cards(board, lambda state: state.units, card)


def name(state: State, key: str) -> Mapping[str, str] | None:
    return loose_name(key, state, lambda unit: unit.sheet, lambda n: words("wh40k.objective", number=n))


def library() -> Mapping[str, Any]:
    """Ready armies, missions and options for a client's menus."""
    books = {key: content.factions()[key] for key in content.armies()}
    sizes = [{"id": size, "name": both(f"menu.wh40k.size.{size}", "wh40k")} for size in SIZES]
    return offered(
        {"id": "size", "values": sizes, "default": "incursion", "name": words("wh40k.battle-size")},
        ready_armies(books, "size", ("incursion", "combat-patrol", "strike-force"), muster, total),
        [{"id": m.id, "name": m.name, "text": m.text} for m in content.core().missions],
        [layouts(content.core().layouts, words("wh40k.terrain-layout")), *readings("wh40k", Options)],
        ("ironvow cinder", "combat-patrol", ("ask.move", "ask.declare", "ask.charge")),
    )
