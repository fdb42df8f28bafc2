"""Geometry on a table, in inches: it knows no rule.

Names are loaded when first used, so that importing this package costs nothing.
"""

from importlib import import_module
from typing import Any

_HOMES = {
    "angles": """
        heading normal rotate sin_cos turn_between
    """,
    "formations": """
        Side arc_of corners side_of
    """,
    "measure": """
        bounds closest_points collide covers distance edges furthest furthest_of_any inside on_table
        overlap separation share_heights true_distance vertical within
    """,
    "moving": """
        Body Go Leg Sweep Turn carried carry clipped slide sweep
    """,
    "packs": """
        Pack pack
    """,
    "paths": """
        Reach Route path reach
    """,
    "shapes": """
        TOLERANCE Base Hull Oval Point Prism Rect Round Shape Thing convex_hull dot extent mm snap
    """,
    "sight": """
        visible
    """,
    "terrain": """
        Crossing crossings stairs
    """,
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{home}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
