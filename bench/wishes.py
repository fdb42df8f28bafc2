"""Random wishes put to the umpire in random battles of each game: how many are legal, how many are refused by a rule,
which replies name no rule, and the reasons given without any number, by how often they came.

python bench/wishes.py [COUNT] [GAME …]
"""

from __future__ import annotations

import sys
from typing import Any

import umpire
from umpire.engine.battle import Battle
from umpire.engine.rng import Rng
from umpire.engine.wishes import Wish
from umpire.errors import UmpireError

GAMES = ("warcry", "aos", "conquest", "wh40k", "t9a")


def random_wish(battle: Battle[Any], rng: Rng) -> Wish:
    """Any deed by any piece to any other; half of what may be named is."""
    spec = battle.game
    units = list(dict.fromkeys(piece.unit for piece in spec.picture(battle.state).pieces if piece.side in (0, 1)))
    name = rng.choice(list(spec.deeds))
    deed = spec.deeds[name]

    def named(field: str) -> bool:
        return field in deed.needs or (field in deed.may and rng.below(2) == 0)

    ask = battle.decision
    spot = {"x": rng.below(300) / 10, "y": rng.below(220) / 10}
    using = ""
    if named("using"):
        known = list(deed.known(battle)) if deed.known is not None else []
        using = rng.choice(known) if known else rng.choice(["rush", "march", "rally", "0", "1"])
    return Wish(
        deed=name,
        who=rng.choice(units) if named("who") and units else "",
        whom=(rng.choice(units),) if named("whom") and units else (),
        using=using,
        answer=ask.suggest(rng)
        if named("answer") and ask is not None and rng.below(2)
        else spot
        if named("answer")
        else None,
    )


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for game in sys.argv[2:] or GAMES:
        told = {"legal": 0, "refused": 0, "misnamed": 0}
        plain: dict[tuple[str, str], int] = {}
        seed = asked = 0
        while asked < count:
            seed += 1
            battle, rng = umpire.battle(game, seed=seed), Rng(seed)
            for n in range(400):
                if battle.decision is None or asked >= count:
                    break
                if n % 13 == 12:
                    asked += 1
                    wish = random_wish(battle, rng)
                    try:
                        ruling = battle.why_not(rng.below(2), wish)
                    except UmpireError as error:
                        told["misnamed"] += 1
                        plain["misnamed", str(error)[:60]] = plain.get(("misnamed", str(error)[:60]), 0) + 1
                        continue
                    told["legal" if ruling.legal else "refused"] += 1
                    for reason in ruling.reasons:
                        if not any(type(fact) in (int, float) for fact in reason.facts.values()):
                            at = reason.rule, reason.key
                            plain[at] = plain.get(at, 0) + 1
                battle.answer(battle.decision.suggest(rng), battle.decision.side)
        print(game, told)
        for (rule, key), times in sorted(plain.items(), key=lambda item: -item[1]):
            print(f"  {times:4} {rule or '(no rule)'} {key}")


if __name__ == "__main__":
    main()
