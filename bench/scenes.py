"""300 mutated scenes of each game: every one is refused in one clear line, or plays.

python bench/scenes.py [COUNT] [GAME …]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from test_scene_docs import EXAMPLES, mutated, outcome
from umpire.engine.rng import Rng


def main() -> None:
    from umpire import files

    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    for game in sys.argv[2:] or ("warcry", "aos", "conquest", "wh40k", "t9a"):
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
