"""Exact probabilities of dice, read by the rules of the games themselves."""

from umpire.odds.agree import Agreement, agree
from umpire.odds.dice import D3, D6, D66, amount, d, dice, faces, highest, lowest, opposed, roll_off, throws
from umpire.odds.dist import Dist, Number
from umpire.odds.outcomes import Outcomes
from umpire.odds.show import Row, plot, render, table
from umpire.odds.target import Target

__all__ = [
    "D3",
    "D6",
    "D66",
    "Agreement",
    "Dist",
    "Number",
    "Outcomes",
    "Row",
    "Target",
    "agree",
    "amount",
    "d",
    "dice",
    "faces",
    "highest",
    "lowest",
    "opposed",
    "plot",
    "render",
    "roll_off",
    "table",
    "throws",
]
