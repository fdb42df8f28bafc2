"""Conquest: The Last Argument of Kings."""
