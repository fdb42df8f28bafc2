"""The table as text: a plan of letters that a terminal can show."""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from umpire.engine.picture import Picture

COLUMNS = 66


def plan_of(picture: Picture, label: Callable[[Any], str]) -> list[str]:
    """Terrain ░ and ▓, objectives ◎, the first side in capitals, the second in small letters, and what they stand for.

    The far edge is at the top. A letter is as high as two are wide, so a row covers twice the inches of a column.
    """
    inch = max(picture.width / COLUMNS, 0.5)
    columns, rows = int(picture.width / inch) + 1, int(picture.depth / (2 * inch)) + 1
    grid = [[" "] * columns for _ in range(rows)]

    def put(x: float, y: float, mark: str) -> None:
        column, row = int(x / inch), rows - 1 - int(y / (2 * inch))
        if 0 <= column < columns and 0 <= row < rows:
            grid[row][column] = mark

    for terrain in picture.terrain:
        for block in terrain.blocks:
            xs, ys = [x for x, _ in block.points], [y for _, y in block.points]
            mark = "▓" if block.top - block.z > 2 and block.kind not in ("area", "forest", "water", "hill") else "░"
            x = min(xs)
            while x <= max(xs):
                y = min(ys)
                while y <= max(ys):
                    put(x, y, mark)
                    y += 2 * inch
                x += inch
    for marker in picture.markers:
        put(marker.x, marker.y, "◎")
    letters: dict[str, str] = {}
    for piece in picture.pieces:
        if piece.unit not in letters:
            alphabet = ascii_uppercase if piece.side == 0 else ascii_lowercase
            letters[piece.unit] = alphabet[sum(c in alphabet for c in letters.values()) % 26]
        put(piece.x, piece.y, letters[piece.unit])
    names = {card.id: label(card.name) for card in picture.cards}
    wounds = {card.id: card.wounds for card in picture.cards}
    lines = ["┌" + "─" * columns + "┐", *("│" + "".join(row) + "│" for row in grid), "└" + "─" * columns + "┘"]
    for unit, letter in letters.items():
        left = wounds.get(unit)
        lines.append(f"{letter} {names.get(unit, unit)}" + (f" ({left:g})" if left is not None else ""))
    if picture.track:
        lines.append(" · ".join(label(part) for part in picture.track))
    return lines
