"""Decisions: every kind of question that a game asks."""

from umpire.engine.decisions.asking import Decision, Ends, Json, Judge, Option, Propose, Region, Route, Stretch
from umpire.engine.decisions.choosing import Choose, ChooseSeveral, Confirm, Order, Split, TypeDice, pick, pieces
from umpire.engine.decisions.declaring import Declare, Part, Row
from umpire.engine.decisions.forms import SPOT, Form, Held, Manner, Spot, a_point, number_ok
from umpire.engine.decisions.movers import ByRule, Mover, furthest, spot
from umpire.engine.decisions.placing import Face, Judged, Move, Place

__all__ = [
    "SPOT",
    "ByRule",
    "Choose",
    "ChooseSeveral",
    "Confirm",
    "Decision",
    "Declare",
    "Ends",
    "Face",
    "Form",
    "Held",
    "Json",
    "Judge",
    "Judged",
    "Manner",
    "Move",
    "Mover",
    "Option",
    "Order",
    "Part",
    "Place",
    "Propose",
    "Region",
    "Route",
    "Row",
    "Split",
    "Spot",
    "Stretch",
    "TypeDice",
    "a_point",
    "furthest",
    "number_ok",
    "pick",
    "pieces",
    "spot",
]
