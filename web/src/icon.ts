import names from "virtual:icons";

/** Where a game-icons symbol is drawn; a pawn stands in for one that the set does not have. */
export const iconUrl = (name: string) => `/assets/icons/${names.has(name) ? name : "chess-pawn"}.svg`;
