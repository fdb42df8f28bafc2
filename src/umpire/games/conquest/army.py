"""Army lists (chapter 12): warbands of Characters and regiments, what they may have and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from umpire.engine.battle import Battle
from umpire.engine.bills import Bill
from umpire.engine.rulings import Reason, Ruling, applies, in_force, ruled
from umpire.errors import unknown
from umpire.miniatures.lists import Army, Limit, bill, broken
from umpire.rulebook.deciding import decides

from .content import (
    LETTERS,
    LIBRARY,
    CharacterEntry,
    Faction,
    RegimentEntry,
    ability_of,
    faction,
    factions,
    officer_of,
    profile_of,
    rule_of,
    spell_of,
)
from .hooks import moment_of
from .profiles import Ability, Model, Names, Profile, Retinue, Type, title
from .roster import (
    LEADER,
    STANDARD_BEARER,
    CharacterPick,
    RegimentPick,
    Roster,
    Warband,
    army_of,
    character_cost,
    cost,
    has_leader,
    regiment_cost,
)
from .state import Character, Regiment, Stand, State

WARBAND = 4
RESTRICTED = 2
COMMAND_MODELS = 4
RESTRICTED_TIER = 2

# -- checking ------------------------------------------------------------------------------------------------------


def check_roster(roster: Roster, without: Sequence[str] = ()) -> Ruling:
    """Is this list legal? Every rule that it breaks is named."""
    return ruled(in_force(reasons_against(roster, without), without))


def price(roster: Roster) -> Bill:
    army = factions().get(roster.faction)
    return bill(army_of(roster, army)) if army else Bill((), 0, roster.points)


WARLORD = Limit(rule="conquest.army.warlord", of=("warlord",), fact="warlords", least=1, most=1)
MASTERIES = (
    Limit(
        rule="conquest.character.mastery",
        key="reason.army.one-mastery",
        what="items",
        of=("mastery",),
        scope="line",
        most=1,
    ),
    Limit(rule="conquest.character.mastery", what="items", of=("mastery",), scope="kind", most=1),
)


def reasons_against(roster: Roster, without: Sequence[str] = ()) -> list[Reason]:
    reasons = list(_objections(roster, without))
    if not reasons and (total := cost(roster)) > roster.points:
        reasons.append(Reason("conquest.army.points", facts={"points": total, "agreed": roster.points}))
    return reasons


def may_be(roster: Roster, army: Faction, spelt: Army) -> bool:
    """Is there nothing against a list, which is spelt out already? Sooner told than every reason."""
    return spelt.cost <= roster.points and next(_against(roster, army, spelt), None) is None


def _objections(roster: Roster, without: Sequence[str] = ()) -> Iterator[Reason]:
    army = factions().get(roster.faction)
    if army is None:
        yield Reason("conquest.army.composition", "reason.army.faction", {"faction": roster.faction})
    else:
        yield from _against(roster, army, army_of(roster, army), without)


def _against(roster: Roster, army: Faction, spelt: Army, without: Sequence[str] = ()) -> Iterator[Reason]:
    if not roster.warbands:
        yield Reason("conquest.army.composition", "reason.army.empty")
    yield from broken((WARLORD, *MASTERIES, *WARBANDS), spelt)
    for band in roster.warbands:
        entry = army.character(band.character.entry)
        if entry is None:
            yield Reason("conquest.army.composition", "reason.army.not-in-list", {"entry": band.character.entry})
            continue
        yield from _check_character(army, entry, band.character, without)
        yield from _against_warband(army, entry, band, without)
        for pick in band.regiments:
            regiment = army.regiment(pick.entry)
            if regiment is None:
                yield Reason("conquest.army.composition", "reason.army.not-in-list", {"entry": pick.entry})
            else:
                yield from _check_regiment(army, regiment, pick)


def type_of(army: Faction, entry: CharacterEntry, pick: CharacterPick, without: Sequence[str] = ()) -> Type:
    """A Character's type, which an upgrade may change (conquest.character.upgrades.model)."""
    changed = [u.type for key in pick.upgrades if (u := army.upgrade(key)) and u.type]
    return changed[-1] if changed and applies("conquest.character.upgrades.model", without) else entry.type


WARBANDS = (
    Limit(rule="conquest.army.warband", of=("regiment",), scope="group", fact="regiments", least=1),
    Limit(rule="conquest.army.warband.size", of=("regiment",), scope="group", fact="regiments", most=WARBAND),
    Limit(
        rule="conquest.army.warband.restricted-max",
        of=("restricted",),
        scope="group",
        fact="restricted",
        most=RESTRICTED,
    ),
)


def warband_reasons(army: Faction, entry: CharacterEntry, band: Warband) -> list[Reason]:
    """Everything against one warband by itself."""
    alone = army_of(Roster(faction=army.id, warbands=[band]), army)
    return [*broken(WARBANDS, alone), *_against_warband(army, entry, band)]


def _against_warband(
    army: Faction, entry: CharacterEntry, band: Warband, without: Sequence[str] = ()
) -> Iterator[Reason]:
    facts: dict[str, Any] = {"character": dict(entry.name)}
    if not band.regiments:
        return
    main = restricted = 0
    for pick in band.regiments:
        if pick.entry in entry.mainstay:
            main += 1
        elif pick.entry in entry.restricted:
            restricted += 1
        elif regiment := army.regiment(pick.entry):
            yield Reason("conquest.army.warband.mainstay", facts={**facts, "regiment": dict(regiment.name)})
    if restricted > main:
        counted = {"mainstay": main, "restricted": restricted}
        yield Reason("conquest.army.warband.restricted-pair", facts={**facts, **counted})
    kind = type_of(army, entry, band.character, without)
    alike = [r for pick in band.regiments if (r := army.regiment(pick.entry)) and r.type == kind]
    if not entry.alone and not alike:
        yield Reason("conquest.army.warband.same-type", facts={**facts, "type": f"type.{kind}"})
    bought = [u for key in band.character.upgrades if (u := army.upgrade(key))]
    irregular = "irregular" in entry.rules or any("irregular" in given.rules for given in bought)
    if alike and not entry.alone and not irregular and all("irregular" in r.rules for r in alike):
        yield Reason("conquest.rule.irregular.join", facts={**facts, "type": f"type.{kind}"})


def _check_character(
    army: Faction, entry: CharacterEntry, pick: CharacterPick, without: Sequence[str]
) -> Iterator[Reason]:
    facts: dict[str, Any] = {"character": dict(entry.name)}
    for key in pick.mastery:
        mastery = army.mastery(key)
        if mastery is None or mastery.category not in entry.masteries:
            yield Reason("conquest.character.mastery.categories", facts={**facts, "mastery": key})
    for key in pick.upgrades:
        if key not in entry.upgrades or pick.upgrades.count(key) > 1:
            yield Reason("conquest.character.upgrades", facts={**facts, "upgrade": key})
    for key in pick.spells:
        if key not in entry.spells or pick.spells.count(key) > 1:
            yield Reason("conquest.magic.spells.list", facts={**facts, "spell": key})
    if any(pick.retinue.values()):
        yield from _check_retinue(army, entry, pick, without)


def _check_retinue(army: Faction, entry: CharacterEntry, pick: CharacterPick, without: Sequence[str]) -> list[Reason]:
    facts: dict[str, Any] = {"character": dict(entry.name)}
    if type_of(army, entry, pick, without) != "infantry":
        return [Reason("conquest.character.retinue.infantry-only", facts=facts)]
    if not entry.retinue:
        return [Reason("conquest.character.retinue.slots", facts={**facts, "places": 0})]
    reasons: list[Reason] = []
    places = int(entry.retinue.get("slots", 3))
    models = sum(max(0, tier) for tier in pick.retinue.values())
    if models > places:
        reasons.append(Reason("conquest.character.retinue.slots", facts={**facts, "models": models, "places": places}))
    for key, tier in pick.retinue.items():
        category = army.category(key)
        access = entry.retinue.get(key)
        if category is None or access is None:
            reasons.append(Reason("conquest.character.retinue.available-restricted", facts={**facts, "category": key}))
        elif access == "restricted" and tier > RESTRICTED_TIER:
            reasons.append(
                Reason(
                    "conquest.character.retinue.available-restricted",
                    "reason.army.restricted-tier",
                    {**facts, "category": key, "tier": tier},
                )
            )
        elif not 0 <= tier <= len(category.tiers):
            reasons.append(
                Reason("conquest.character.retinue.sequential", facts={**facts, "category": key, "tier": tier})
            )
    return reasons


def _check_regiment(army: Faction, entry: RegimentEntry, pick: RegimentPick) -> list[Reason]:
    facts: dict[str, Any] = {"regiment": dict(entry.name)}
    reasons: list[Reason] = []
    stands = pick.stands or entry.stands
    if not entry.stands <= stands <= entry.most:
        reasons.append(
            Reason(
                "conquest.army.upgrades", facts={**facts, "stands": stands, "least": entry.stands, "most": entry.most}
            )
        )
    wanted = ["leader"] if has_leader(entry, pick) else []
    wanted += ["standard-bearer"] if pick.standard else []
    wanted += pick.officers
    if entry.type == "monster":
        if wanted:
            reasons.append(Reason("conquest.command-model.monster-none", facts=facts))
        return reasons
    for key in pick.officers:
        if army.officer(key) is None:
            reasons.append(Reason("conquest.command-model.officer", facts={**facts, "model": key}))
    if len(set(pick.officers)) < len(pick.officers):
        twice = "reason.conquest.command-model.unique"
        reasons.append(Reason("conquest.command-model.officer", twice, facts))
    unlisted = [key for key in pick.officers if key not in entry.command.officers and army.officer(key)]
    unlisted += ["standard-bearer"] if pick.standard and entry.command.standard is None else []
    unlisted += ["leader"] if pick.leader and entry.command.leader is None else []
    reasons += [Reason("conquest.command-model.mounted.options", facts={**facts, "model": key}) for key in unlisted]
    if len(set(wanted)) < len(wanted):
        reasons.append(Reason("conquest.command-model.unique", facts=facts))
    mounted = entry.type != "infantry"
    if len(wanted) > COMMAND_MODELS:
        rule = "conquest.command-model.mounted.limit" if mounted else "conquest.command-model.infantry.command-stand"
        reasons.append(Reason(rule, facts={**facts, "models": len(wanted), "most": COMMAND_MODELS}))
    if mounted and len(wanted) > stands:
        reasons.append(
            Reason("conquest.command-model.mounted.replace", facts={**facts, "models": len(wanted), "stands": stands})
        )
    return reasons


# -- from the list to the table ------------------------------------------------------------------------------------


def build(roster: Roster, side: int, without: Sequence[str] = ()) -> tuple[list[Regiment], list[Character]]:
    """The regiments and Characters of a checked list, all waiting in reserve, no Character assigned yet."""
    army = faction(roster.faction)
    regiments: list[Regiment] = []
    characters: list[Character] = []
    for number, band in enumerate(roster.warbands):
        entry = army.character(band.character.entry)
        if entry is None:
            raise unknown("character", band.character.entry, f"warbands[{number}]")
        character = _character(army, entry, band.character, side, number, f"{side}c{number}", without)
        characters.append(character)
        if entry.alone:
            stand = Stand(f"{character.id}s", character=character.id)
            regiments.append(
                Regiment(
                    id=f"{side}c{number}r",
                    side=side,
                    entry=entry.id,
                    title=title(entry.name),
                    profile=_all_rules(character),
                    stands=(stand,),
                    own=character.id,
                    start=1,
                    points=character.points,
                    warband=number,
                    spells=character.spells,
                )
            )
            character.own = True
            character.regiment = regiments[-1].id
        for pick in band.regiments:
            kind = army.regiment(pick.entry)
            if kind is None:
                raise unknown("regiment", pick.entry, f"warbands[{number}]")
            regiments.append(_regiment(army, kind, pick, side, number, f"{side}r{len(regiments)}"))
    return regiments, characters


def _all_rules(character: Character) -> Profile:
    """The profile of a Character that is a regiment: what he bought is the regiment's own."""
    bought = character.mastery + character.upgrades + character.gives
    return msgspec.structs.replace(character.profile, rules=character.profile.rules + bought)


@decides(
    "conquest.core.stand.models-per-type",
    "conquest.core.stand.one-type-per-regiment",
    "conquest.command-model.same-profile",
)
def _regiment(army: Faction, entry: RegimentEntry, pick: RegimentPick, side: int, band: int, key: str) -> Regiment:
    models: list[Model] = []
    if entry.type != "monster":
        if has_leader(entry, pick):
            models.append(LEADER)
        if pick.standard:
            models.append(STANDARD_BEARER)
        models += [officer_of(o) for name in pick.officers if (o := army.officer(name))]
    count = pick.stands or entry.stands
    return Regiment(
        id=key,
        side=side,
        entry=entry.id,
        title=title(entry.name),
        profile=profile_of(entry),
        stands=stands_of(key, count, entry.type, tuple(model.id for model in models)),
        models=tuple(models),
        points=regiment_cost(army, entry, pick),
        warband=band,
        start=count,
        spells=tuple(spell_of(s) for s in army.spells if s.id in entry.spells),
    )


@decides("conquest.command-model.infantry.replace", "conquest.command-model.infantry.one-stand")
def stands_of(key: str, count: int, kind: Type, models: tuple[str, ...]) -> tuple[Stand, ...]:
    """The stands of a regiment, the one with the Leader in front.

    Infantry has all command models on one stand (conquest.command-model.infantry.command-stand), which replaces an
    ordinary one (conquest.command-model.infantry.replace); elsewhere each has a stand of its own, and only the Leader's
    is the command stand (conquest.command-model.mounted.spread). Without any there is no command stand
    (conquest.command-model.infantry.free-leader), and there is never a second one
    (conquest.command-model.infantry.one-stand).
    """
    stands = [Stand(f"{key}s{i}") for i in range(count)]
    if kind == "infantry":
        if models:
            stands[0] = Stand(stands[0].id, models=models, command=True)
    else:
        for i, model in enumerate(models):
            stands[i] = Stand(stands[i].id, models=(model,), command=model == "leader")
    return tuple(stands)


@decides("conquest.character.retinue.no-profile", "conquest.character.retinue.tiers")
def _character(
    army: Faction,
    entry: CharacterEntry,
    pick: CharacterPick,
    side: int,
    band: int,
    key: str,
    without: Sequence[str] = (),
) -> Character:
    given = [g for k in pick.mastery if (g := army.mastery(k))] + [u for k in pick.upgrades if (u := army.upgrade(k))]
    tiers = [(c, tier) for k, tier in pick.retinue.items() if tier > 0 and (c := army.category(k))]
    everything = [*given, *(t for c, tier in tiers for t in c.tiers[:tier])]
    base = profile_of(entry)
    totals = {what: base.value(what) + sum(g.stats.get(k, 0) for g in everything) for k, what in LETTERS.items()}
    profile: Profile = msgspec.structs.replace(
        base,
        type=type_of(army, entry, pick, without),
        events=base.events + tuple(rule_of(d) for g in everything for d in g.draw),
        **totals,
    )
    supremacy = {s.id: s for s in army.supremacy}
    abilities: list[Ability] = [
        ability_of(supremacy[u.supremacy]) for k in pick.upgrades if (u := army.upgrade(k)) and u.supremacy
    ]
    bought: list[Names] = [g.name for g in given]
    return Character(
        id=key,
        side=side,
        entry=entry.id,
        title=title(entry.name),
        profile=profile,
        warlord=pick.warlord,
        warband=band,
        points=character_cost(army, entry, pick),
        retinue=tuple(
            Retinue(c.id, tier, c.name, tuple(rule_of(r) for t in c.tiers[:tier] for r in t.rules)) for c, tier in tiers
        ),
        mastery=tuple(rule_of(r) for k in pick.mastery if (m := army.mastery(k)) for r in m.rules),
        upgrades=tuple(rule_of(r) for k in pick.upgrades if (u := army.upgrade(k)) for r in u.rules),
        spells=tuple(spell_of(s) for s in army.spells if s.id in pick.spells),
        supremacy=ability_of(supremacy[entry.supremacy]),
        abilities=tuple(abilities),
        gives=tuple(rule_of(r) for g in everything for r in g.regiment_rules),
        bought=tuple(title(b) for b in bought),
    )


@moment_of("set-up")
def mustered(battle: Battle[State], regiment: Regiment | None, **facts: Any) -> None:
    """Both lists are open, and were checked by these rules."""
    for side, given in enumerate(battle.setup.sides):
        roster = msgspec.convert(given, Roster)
        with LIBRARY.opened(battle.setup):
            battle.emit(
                "army",
                "conquest.army.points",
                "conquest.army.composition",
                side=side,
                player=f"side.{side}",
                faction=dict(faction(roster.faction).name),
                points=cost(roster),
                agreed=roster.points,
            )
