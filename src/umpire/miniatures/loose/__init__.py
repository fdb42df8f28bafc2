"""Loose units: models on bases of their own that stand where they like, held together by coherency."""
