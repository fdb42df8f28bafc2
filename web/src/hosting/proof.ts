import type { Verification } from "../server";
import { sha256 } from "../table/sha256";

/** What this browser can prove by itself: that secret and luck are those that were committed to. */
export function commitmentsHold(found: Verification): boolean | null {
  const dice = found.fairness;
  if (!dice?.commitment || !dice.secret) return null;
  const told = (dice.hashes ?? []).every((hash, side) => !hash || dice.withheld?.includes(side) || sha256(dice.contributions[side] ?? "") === hash);
  return sha256(dice.secret) === dice.commitment && told;
}
