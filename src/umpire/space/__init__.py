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
        Block Formation Side arc_of arc_region contact_side corners in_arc side_heading side_of
    """,
    "measure": """
        area bounds closest_points collide contact_length corner_contact covers distance distances edges
        furthest furthest_of_any in_contact inside nearest on_table overlap pairwise separation separations
        share_heights touching true_distance vertical wholly_within within
    """,
    "moving": """
        Body Go Leg Sweep Turn Way ahead along carried carry clipped cost fits marching pivot prefix serpentine slide
        sweep wheel wheel_degrees
    """,
    "packs": """
        Pack pack
    """,
    "paths": """
        Reach Route path reach
    """,
    "picture": """
        Picture draw
    """,
    "shapes": """
        TOLERANCE Base Hull Oval Point Prism Rect Round Shape Thing bearing box convex_hull dot extent line mm
        oval_mm rect_mm round_mm snap
    """,
    "sight": """
        clear_line how_much in_view visible
    """,
    "terrain": """
        Crossing Edge Ladder Piece Surface area_terrain block blockers crossings doorway low_obstacle platform
        platform_edges prisms_of ramp solids stack stairs support_under surface_under surfaces_at wall
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
