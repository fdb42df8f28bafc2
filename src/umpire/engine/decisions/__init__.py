"""Decisions: every kind of question that a game asks."""

from umpire.engine.decisions.asking import Decision, Ends, Json, Judge, Option, Propose, Region, Route, Stretch
from umpire.engine.decisions.choosing import Choose, ChooseSeveral, Confirm, Order, Split, TypeDice
from umpire.engine.decisions.placing import Face, Move, Place, number_ok

__all__ = [
    "Choose",
    "ChooseSeveral",
    "Confirm",
    "Decision",
    "Ends",
    "Face",
    "Json",
    "Judge",
    "Move",
    "Option",
    "Order",
    "Place",
    "Propose",
    "Region",
    "Route",
    "Split",
    "Stretch",
    "TypeDice",
    "number_ok",
]
