"""The ledger of each game's rules, and how to look a rule up."""

from umpire.rulebook.ledger import Rule, add_ledger, exists, games, rule, rules, version
from umpire.rulebook.search import Neighbours, neighbours, search

__all__ = ["Neighbours", "Rule", "add_ledger", "exists", "games", "neighbours", "rule", "rules", "search", "version"]
