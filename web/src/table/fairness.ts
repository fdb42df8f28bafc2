/** Fair dice: what this browser adds to them, and whether the server has kept its word (docs/protocol.md). */
import type { Fairness, Side } from "../protocol";
import type { Luck } from "../server";
import { sha256 } from "./sha256";

/** What this browser knows of a seat's dice: its own luck, and the commitment that was published before the luck was told. */
export interface Stake {
  luck: string;
  commitment: string;
  /** What every seat had committed to when this browser told its luck. */
  hashes?: string[];
}

type Shelf = Pick<Storage, "getItem" | "setItem">;

const KEY = "umpire.luck";
const KEPT = 60;

function stakes(shelf: Shelf): Record<string, Stake> {
  try {
    return JSON.parse(shelf.getItem(KEY) ?? "{}") as Record<string, Stake>;
  } catch {
    return {};
  }
}

export const stakeOf = (table: string, token: string, shelf: Shelf = localStorage): Stake | null =>
  stakes(shelf)[`${table} ${token}`] ?? null;

/** Random bits for the dice, 128 of them, as 32 characters. */
export function randomLuck(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Draw the luck of a seat, once the commitment is known; a seat that has drawn keeps what it has. */
export function drawLuck(table: string, token: string, commitment: string, shelf: Shelf = localStorage): Stake {
  const known = stakeOf(table, token, shelf);
  if (known) return known;
  const stake = { luck: randomLuck(), commitment };
  const kept = [...Object.entries(stakes(shelf)), [`${table} ${token}`, stake]].slice(-KEPT);
  shelf.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  return stake;
}

export interface Verdict {
  /** The opened secret has the hash that was published, before this browser told its luck if it knows that hash. */
  secret: boolean;
  /** This seat's own luck is in the dice, and what others told is what they had committed to; null where it added none. */
  luck: boolean | null;
  fair: boolean;
}

/** A seat is about to tell its luck: what the others have committed to by now must not change any more. */
export function noteHashes(table: string, token: string, hashes: string[], shelf: Shelf = localStorage): void {
  const all = stakes(shelf);
  const known = all[`${table} ${token}`];
  if (known && !known.hashes) shelf.setItem(KEY, JSON.stringify({ ...all, [`${table} ${token}`]: { ...known, hashes } }));
}

/** Does every luck that was told fit the hash that was shown before this browser told its own? */
function kept(fairness: Fairness & Partial<Luck>, stake: Stake | null): boolean {
  const { hashes, withheld = [] } = fairness;
  if (!hashes?.some(Boolean)) return true;
  if (stake?.hashes && stake.hashes.some((hash, side) => hash !== hashes[side])) return false;
  return fairness.contributions.every((luck, side) =>
    withheld.includes(side) || !hashes[side] ? luck === "" : sha256(luck) === hashes[side],
  );
}

/** Were the dice fair? Null while the secret is sealed, and where there was nothing to commit to. */
export function verdict(fairness: Fairness | null, side: Side | null, stake: Stake | null): Verdict | null {
  if (!fairness?.secret || !fairness.commitment) return null;
  const published = stake?.commitment || fairness.commitment;
  const secret = sha256(fairness.secret) === fairness.commitment && published === fairness.commitment;
  const mine = stake && side !== null ? fairness.contributions[side] === stake.luck : null;
  const luck = kept(fairness as Fairness & Partial<Luck>, stake) ? mine : false;
  return { secret, luck, fair: secret && luck !== false };
}
