"""300 mutated scenes of each game: every one is refused in one clear line, or plays. Or moments of random battles,
written down as scenes and read again: in words alone, with something beside them, as the data alone; or not the same.

python bench/scenes.py [COUNT] [GAME …]
python bench/scenes.py moments [BATTLES] [EVERY] [GAME …]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from test_scene_docs import EXAMPLES, mutated, outcome
from test_snapshots import moments, said
from umpire.engine.rng import Rng

GAMES = ("warcry", "aos", "conquest", "wh40k", "t9a")


def written(battles: int, every: int, games: tuple[str, ...]) -> None:
    for game in games:
        told = {"words": 0, "words and data": 0, "data": 0, "other": 0}
        first = ""
        for seed in range(battles):
            for number, battle in moments(game, seed, every):
                try:
                    file = said(battle, number)
                    told["data" if not file.position else "words and data" if file.state else "words"] += 1
                except Exception as error:
                    told["other"] += 1
                    first = first or f"{seed}, {number}: {type(error).__name__}: {error}"[:200]
        print(game, told, first)


def main() -> None:
    from umpire import files

    given = sys.argv[1:]
    if given[:1] == ["moments"]:
        numbers = [int(one) for one in given[1:] if one.isdecimal()]
        battles, every = (*numbers, *(40, 1)[len(numbers) :])
        written(battles, every, tuple(one for one in given[1:] if not one.isdecimal()) or GAMES)
        return
    count = int(given[0]) if given else 300
    for game in given[1:] or GAMES:
        scene = files.parse(EXAMPLES[game], game).data
        told = {"played": 0, "refused": 0, "unclear": 0}
        first = ""
        for seed in range(count):
            try:
                told[outcome(mutated(scene, Rng(seed)), seed)] += 1
            except Exception as error:
                told["unclear"] += 1
                first = first or f"{seed}: {type(error).__name__}: {error}"[:200]
        print(game, told, first)


if __name__ == "__main__":
    main()
