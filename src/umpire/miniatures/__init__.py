"""What books of miniature games share: models in units, loose or in ranks; abilities and reactions; special rules; army
lists. It stands on the engine and on space, serves the games, and knows no book: numbers, words and rule ids come from
the game that asks."""
