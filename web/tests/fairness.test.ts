import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { drawLuck, randomLuck, stakeOf, verdict } from "../src/table/fairness";
import { sha256 } from "../src/table/sha256";

const hash = (text: string) => createHash("sha256").update(text).digest("hex");

function shelf() {
  const kept = new Map<string, string>();
  return { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
}

const secret = "0123456789abcdef0123456789abcdef";
const opened = { hashes: [], owing: [], withheld: [], commitment: hash(secret), contributions: ["mine", "theirs"], secret };

it("hashes as everybody does, at every length around a block's end", () => {
  expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  for (let n = 0; n < 200; n++) {
    const text = "骰x".repeat(n).slice(0, n);
    expect(sha256(text)).toBe(hash(text));
  }
});

it("draws luck that the server takes, a new one every time", () => {
  expect(randomLuck()).toMatch(/^[0-9a-f]{32}$/);
  expect(randomLuck()).not.toBe(randomLuck());
});

it("keeps a seat's luck and the first commitment through a reload", () => {
  const kept = shelf();
  expect(stakeOf("t", "a", kept)).toBeNull();
  const first = drawLuck("t", "a", "c1", kept);
  expect(drawLuck("t", "a", "c2", kept)).toEqual(first);
  expect(stakeOf("t", "a", kept)).toEqual({ luck: first.luck, commitment: "c1" });
  expect(drawLuck("t", "b", "c1", kept).luck).not.toBe(first.luck);
});

it("keeps the luck of the latest tables only", () => {
  const kept = shelf();
  for (let n = 0; n < 100; n++) drawLuck(`t${n}`, "a", "c", kept);
  expect(stakeOf("t0", "a", kept)).toBeNull();
  expect(stakeOf("t99", "a", kept)).not.toBeNull();
});

it("finds dice fair that keep their commitment and hold the seat's luck", () => {
  const stake = { luck: "mine", commitment: opened.commitment };
  expect(verdict(opened, 0, stake)).toEqual({ secret: true, luck: true, fair: true });
  expect(verdict(opened, null, null)).toEqual({ secret: true, luck: null, fair: true });
});

it("says nothing while the secret is sealed, or where a record's dice are used", () => {
  expect(verdict({ ...opened, secret: "" }, 0, null)).toBeNull();
  expect(verdict({ ...opened, commitment: "" }, 0, null)).toBeNull();
  expect(verdict(null, 0, null)).toBeNull();
});

it("catches another secret, a commitment that was exchanged, and luck that was left out", () => {
  const stake = { luck: "mine", commitment: opened.commitment };
  expect(verdict({ ...opened, secret: "other" }, 0, stake)!.fair).toBe(false);
  const other = { ...opened, commitment: hash("other"), contributions: ["mine", ""], secret: "other" };
  expect(verdict(other, 0, stake)).toEqual({ secret: false, luck: true, fair: false });
  expect(verdict(opened, 1, stake)).toEqual({ secret: true, luck: false, fair: false });
});
