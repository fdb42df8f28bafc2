"""A whole bot: it takes the first suggestion. Play it with `umpire bot GAME -- python reference_bot.py`."""

import json
import sys
from typing import Any


def choose(message: dict[str, Any]) -> Any:
    """Your cleverness goes here: `message["decision"]` is the question, `message["suggestions"]` are legal answers."""
    return message["suggestions"][0]


def say(**message: Any) -> None:
    print(json.dumps(message), flush=True)


def main() -> None:
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            say(type="hello", protocol=message["protocol"], name="reference")
        elif message["type"] == "decision":
            say(type="answer", n=message["n"], answer=choose(message))
        elif message["type"] == "result":
            return


if __name__ == "__main__":
    main()
