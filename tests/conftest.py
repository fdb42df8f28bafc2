"""Shared by the whole suite."""

pytest_plugins = ["pytester"]
