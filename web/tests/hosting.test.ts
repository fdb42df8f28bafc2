import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { commitmentsHold } from "../src/hosting/proof";
import { shown } from "../src/hosting/time";
import { noteHashes, stakeOf, verdict, drawLuck } from "../src/table/fairness";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const verified = { same: true, answers: 3, recorded_rules: "1", rules: "1", difference: null, fair: true };
const dice = { commitment: hash("s"), secret: "s", contributions: ["a", "b"], hashes: [hash("a"), hash("b")], owing: [], withheld: [] };

it("shows time as clocks do", () => {
  expect([0, 59.2, 61, 3600, 90061, -5].map(shown)).toEqual(["0:00", "1:00", "1:01", "1:00:00", "1 d 01:01", "0:00"]);
});

it("proves by itself that secret and luck are those that were committed to", () => {
  expect(commitmentsHold({ verdict: verified, fairness: dice })).toBe(true);
  expect(commitmentsHold({ verdict: verified, fairness: { ...dice, contributions: ["a", "chosen"] } })).toBe(false);
  expect(commitmentsHold({ verdict: verified, fairness: { ...dice, secret: "t" } })).toBe(false);
  expect(commitmentsHold({ verdict: verified, fairness: { ...dice, contributions: ["a", ""], withheld: [1] } })).toBe(true);
  expect(commitmentsHold({ verdict: verified, fairness: null })).toBe(null);
});

it("catches luck that was exchanged after this browser told its own", () => {
  const kept = new Map<string, string>();
  const shelf = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
  const mine = drawLuck("t", "x", dice.commitment, shelf);
  const hashes = [hash(mine.luck), hash("b")];
  noteHashes("t", "x", hashes, shelf);
  noteHashes("t", "x", ["", ""], shelf);
  const stake = stakeOf("t", "x", shelf);
  expect(stake?.hashes).toEqual(hashes);
  const fair = { ...dice, contributions: [mine.luck, "b"], hashes };
  expect(verdict(fair, 0, stake)?.fair).toBe(true);
  expect(verdict({ ...fair, contributions: [mine.luck, "seven sixes"], hashes: [hashes[0]!, hash("seven sixes")] }, 0, stake)?.fair).toBe(false);
  expect(verdict({ ...fair, contributions: [mine.luck, "other"] }, 0, stake)?.fair).toBe(false);
});
