"""Geometry on a table, in inches: it knows no rule.

Names are loaded when first used, so that importing this package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .alignment import (
        Alignment as Alignment,
    )
    from .alignment import (
        align as align,
    )
    from .alignment import (
        approach as approach,
    )
    from .alignment import (
        approaches as approaches,
    )
    from .alignment import (
        flush_base as flush_base,
    )
    from .alignment import (
        nudge as nudge,
    )
    from .alignment import (
        press as press,
    )
    from .alignment import (
        square_up as square_up,
    )
    from .angles import (
        heading as heading,
    )
    from .angles import (
        normal as normal,
    )
    from .angles import (
        rotate as rotate,
    )
    from .angles import (
        sin_cos as sin_cos,
    )
    from .angles import (
        turn_between as turn_between,
    )
    from .formations import (
        Block as Block,
    )
    from .formations import (
        Formation as Formation,
    )
    from .formations import (
        Side as Side,
    )
    from .formations import (
        arc_of as arc_of,
    )
    from .formations import (
        arc_region as arc_region,
    )
    from .formations import (
        contact_side as contact_side,
    )
    from .formations import (
        corners as corners,
    )
    from .formations import (
        in_arc as in_arc,
    )
    from .formations import (
        side_heading as side_heading,
    )
    from .formations import (
        side_of as side_of,
    )
    from .levels import (
        Journey as Journey,
    )
    from .levels import (
        Level as Level,
    )
    from .levels import (
        Link as Link,
    )
    from .levels import (
        Stretch as Stretch,
    )
    from .levels import (
        Travel as Travel,
    )
    from .levels import (
        climbs as climbs,
    )
    from .levels import (
        full_price as full_price,
    )
    from .levels import (
        jumps as jumps,
    )
    from .levels import (
        ladders_of as ladders_of,
    )
    from .levels import (
        level_at as level_at,
    )
    from .levels import (
        level_below as level_below,
    )
    from .levels import (
        levels_of as levels_of,
    )
    from .levels import (
        travel as travel,
    )
    from .measure import (
        area as area,
    )
    from .measure import (
        bounds as bounds,
    )
    from .measure import (
        closest_points as closest_points,
    )
    from .measure import (
        coherent as coherent,
    )
    from .measure import (
        collide as collide,
    )
    from .measure import (
        contact_length as contact_length,
    )
    from .measure import (
        corner_contact as corner_contact,
    )
    from .measure import (
        covers as covers,
    )
    from .measure import (
        distance as distance,
    )
    from .measure import (
        distances as distances,
    )
    from .measure import (
        edges as edges,
    )
    from .measure import (
        furthest as furthest,
    )
    from .measure import (
        furthest_of_any as furthest_of_any,
    )
    from .measure import (
        in_contact as in_contact,
    )
    from .measure import (
        inside as inside,
    )
    from .measure import (
        nearest as nearest,
    )
    from .measure import (
        on_table as on_table,
    )
    from .measure import (
        overlap as overlap,
    )
    from .measure import (
        pairwise as pairwise,
    )
    from .measure import (
        separation as separation,
    )
    from .measure import (
        separations as separations,
    )
    from .measure import (
        share_heights as share_heights,
    )
    from .measure import (
        touching as touching,
    )
    from .measure import (
        true_distance as true_distance,
    )
    from .measure import (
        vertical as vertical,
    )
    from .measure import (
        wholly_within as wholly_within,
    )
    from .measure import (
        within as within,
    )
    from .moving import (
        Body as Body,
    )
    from .moving import (
        Go as Go,
    )
    from .moving import (
        Leg as Leg,
    )
    from .moving import (
        Sweep as Sweep,
    )
    from .moving import (
        Turn as Turn,
    )
    from .moving import (
        Way as Way,
    )
    from .moving import (
        ahead as ahead,
    )
    from .moving import (
        along as along,
    )
    from .moving import (
        carried as carried,
    )
    from .moving import (
        carry as carry,
    )
    from .moving import (
        clipped as clipped,
    )
    from .moving import (
        cost as cost,
    )
    from .moving import (
        fits as fits,
    )
    from .moving import (
        marching as marching,
    )
    from .moving import (
        pivot as pivot,
    )
    from .moving import (
        prefix as prefix,
    )
    from .moving import (
        serpentine as serpentine,
    )
    from .moving import (
        slide as slide,
    )
    from .moving import (
        sweep as sweep,
    )
    from .moving import (
        wheel as wheel,
    )
    from .moving import (
        wheel_degrees as wheel_degrees,
    )
    from .packs import (
        Pack as Pack,
    )
    from .packs import (
        pack as pack,
    )
    from .paths import (
        Reach as Reach,
    )
    from .paths import (
        Route as Route,
    )
    from .paths import (
        path as path,
    )
    from .paths import (
        reach as reach,
    )
    from .picture import (
        Picture as Picture,
    )
    from .picture import (
        draw as draw,
    )
    from .shapes import (
        TOLERANCE as TOLERANCE,
    )
    from .shapes import (
        Base as Base,
    )
    from .shapes import (
        Hull as Hull,
    )
    from .shapes import (
        Oval as Oval,
    )
    from .shapes import (
        Point as Point,
    )
    from .shapes import (
        Prism as Prism,
    )
    from .shapes import (
        Rect as Rect,
    )
    from .shapes import (
        Round as Round,
    )
    from .shapes import (
        Shape as Shape,
    )
    from .shapes import (
        Thing as Thing,
    )
    from .shapes import (
        bearing as bearing,
    )
    from .shapes import (
        box as box,
    )
    from .shapes import (
        convex_hull as convex_hull,
    )
    from .shapes import (
        dot as dot,
    )
    from .shapes import (
        extent as extent,
    )
    from .shapes import (
        line as line,
    )
    from .shapes import (
        mm as mm,
    )
    from .shapes import (
        oval_mm as oval_mm,
    )
    from .shapes import (
        rect_mm as rect_mm,
    )
    from .shapes import (
        round_mm as round_mm,
    )
    from .shapes import (
        snap as snap,
    )
    from .sight import (
        clear_line as clear_line,
    )
    from .sight import (
        how_much as how_much,
    )
    from .sight import (
        in_view as in_view,
    )
    from .sight import (
        visible as visible,
    )
    from .terrain import (
        Crossing as Crossing,
    )
    from .terrain import (
        Edge as Edge,
    )
    from .terrain import (
        Ladder as Ladder,
    )
    from .terrain import (
        Piece as Piece,
    )
    from .terrain import (
        Surface as Surface,
    )
    from .terrain import (
        area_terrain as area_terrain,
    )
    from .terrain import (
        block as block,
    )
    from .terrain import (
        blockers as blockers,
    )
    from .terrain import (
        crossings as crossings,
    )
    from .terrain import (
        doorway as doorway,
    )
    from .terrain import (
        low_obstacle as low_obstacle,
    )
    from .terrain import (
        platform as platform,
    )
    from .terrain import (
        platform_edges as platform_edges,
    )
    from .terrain import (
        prisms_of as prisms_of,
    )
    from .terrain import (
        ramp as ramp,
    )
    from .terrain import (
        solids as solids,
    )
    from .terrain import (
        stack as stack,
    )
    from .terrain import (
        stairs as stairs,
    )
    from .terrain import (
        support_under as support_under,
    )
    from .terrain import (
        surface_under as surface_under,
    )
    from .terrain import (
        surfaces_at as surfaces_at,
    )
    from .terrain import (
        wall as wall,
    )

_HOMES = {
    "alignment": """
        Alignment align approach approaches flush_base nudge press square_up
    """,
    "angles": """
        heading normal rotate sin_cos turn_between
    """,
    "formations": """
        Block Formation Side arc_of arc_region contact_side corners in_arc side_heading side_of
    """,
    "levels": """
        Journey Level Link Stretch Travel climbs full_price jumps ladders_of level_at level_below levels_of travel
    """,
    "measure": """
        area bounds closest_points coherent collide contact_length corner_contact covers distance distances edges
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
