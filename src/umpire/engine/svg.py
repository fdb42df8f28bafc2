"""The table as a picture: paper, ink and two side colours, each with its own hatching; higher floors are lighter."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from umpire.engine.picture import Block, Label, Picture, Piece
from umpire.text import Names, say

SCALE = 20.0
SIDES = ("#1f4e79", "#a3312a")
PAPER, INK, BRASS = "#f4efe4", "#22262b", "#a9803a"
_BLOCKS = {
    "area": "#c9d3ad",
    "forest": "#a9bd8f",
    "water": "#a9c4d1",
    "hill": "#d8c9a4",
    "wall": "#6f675a",
    "ladder": "#a9803a",
    "stair": "#b99a63",
    "ramp": "#c4a878",
    "fence": "#7d5a44",
    "door": "#8a5a2b",
}


def draw(picture: Picture, game: str, names: Names | None = None, lang: str = "zh") -> str:
    """An SVG document of the picture, seen from above, the far edge at the top."""
    width, depth = picture.width * SCALE, picture.depth * SCALE

    def label(text: Label | None) -> str:
        return escape(say(text, lang, game, names)) if text is not None else ""

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-10 -10 {width + 20:g} {depth + 20:g}" '
        f'width="{width + 20:g}" height="{depth + 20:g}" font-family="sans-serif" font-size="9">',
        _defs(),
        f'<rect x="0" y="0" width="{width:g}" height="{depth:g}" fill="{PAPER}" stroke="{INK}" stroke-width="2"/>',
    ]
    flip = picture.depth
    for zone in picture.zones:
        colour = SIDES[zone.side] if zone.side in (0, 1) else BRASS
        shape = "polygon" if zone.closed else "polyline"
        fill = f'fill="{colour}" fill-opacity="0.10"' if zone.closed else 'fill="none"'
        parts.append(
            f'<{shape} points="{_points(zone.points, flip)}" {fill} stroke="{colour}" stroke-dasharray="6 4">'
            f"<title>{label(zone.label)}</title></{shape}>"
        )
    blocks = sorted(
        ((block, piece) for piece in picture.terrain for block in piece.blocks),
        key=lambda pair: (pair[0].top, pair[0].z),
    )
    for block, piece in blocks:
        parts.append(
            f'<polygon points="{_points(block.points, flip)}" fill="{_shade(block)}" stroke="{INK}" stroke-width="0.8">'
            f'<title>{label(piece.name)} {block.kind} {block.z:g}"–{block.top:g}"</title></polygon>'
        )
    for marker in picture.markers:
        x, y = marker.x * SCALE, (flip - marker.y) * SCALE
        colour = SIDES[marker.side] if marker.side in (0, 1) else BRASS
        if marker.range:
            parts.append(
                f'<circle cx="{x:g}" cy="{y:g}" r="{marker.range * SCALE:g}" fill="none" stroke="{colour}" '
                'stroke-dasharray="3 3"/>'
            )
        parts.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="{marker.radius * SCALE:g}" fill="{colour}" fill-opacity="0.6" '
            f'stroke="{INK}"><title>{label(marker.label) or marker.kind}</title></circle>'
        )
    titles = {card.id: label(card.name) for card in picture.cards}
    parts.extend(
        _piece(piece, flip, titles.get(piece.unit, piece.unit)) for piece in sorted(picture.pieces, key=lambda p: p.z)
    )
    parts.append("</svg>")
    return "\n".join(parts)


def _defs() -> str:
    hatches = "".join(
        f'<pattern id="side{i}" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate({angle})">'
        f'<rect width="5" height="5" fill="{colour}"/><path d="M0 0V5" stroke="{PAPER}" stroke-width="1"/></pattern>'
        for i, (colour, angle) in enumerate(zip(SIDES, (45, -45), strict=True))
    )
    return f"<defs>{hatches}</defs>"


def _points(points: Sequence[tuple[float, float]], flip: float) -> str:
    return " ".join(f"{x * SCALE:g},{(flip - y) * SCALE:g}" for x, y in points)


def _shade(block: Block) -> str:
    """Higher surfaces are lighter, so that floors can be told apart in black and white too."""
    if block.kind in _BLOCKS:
        return _BLOCKS[block.kind]
    level = min(235, int(150 + 14 * block.top))
    return f"#{level:02x}{level - 6:02x}{max(0, level - 22):02x}"


def _piece(piece: Piece, flip: float, title: str) -> str:
    x, y = piece.x * SCALE, (flip - piece.y) * SCALE
    w, d = piece.shape.width * SCALE, piece.shape.depth * SCALE
    fill = f"url(#side{piece.side})" if piece.side in (0, 1) else BRASS
    common = f'fill="{fill}" stroke="{INK}" stroke-width="1.2"'
    match piece.shape.kind:
        case "rect":
            body = f'<rect x="{-w / 2:g}" y="{-d / 2:g}" width="{w:g}" height="{d:g}" {common}/>'
        case "polygon":
            points = " ".join(f"{px * SCALE:g},{-py * SCALE:g}" for px, py in piece.shape.points)
            body = f'<polygon points="{points}" {common}/>'
        case _:
            body = f'<ellipse rx="{w / 2:g}" ry="{d / 2:g}" {common}/>'
    front = -d / 2 if d else -5
    notch = f'<path d="M0 {front:g}L-3 {front + 5:g}H3Z" fill="{PAPER}" stroke="{INK}" stroke-width="0.5"/>'
    facts = [title]
    if piece.wounds is not None:
        facts.append(f"{piece.wounds:g}" + (f"/{piece.wounds_max:g}" if piece.wounds_max is not None else ""))
    if piece.z:
        facts.append(f'z {piece.z:g}"')
    return (
        f'<g transform="translate({x:g} {y:g}) rotate({piece.facing:g})">{body}{notch}'
        f"<title>{escape(' · '.join(facts))}</title></g>"
    )
