"""Bodies of ranks and files: where their parts are, how they move, what they come against, where there is room."""
