import { describe, expect, it } from "vitest";
import type { Choose, View } from "../src/protocol";
import { letGo, likeOf, onlyAnswer, reached } from "../src/table/declining";

const said = { zh: "", en: "" };
const choose = (...options: Partial<Choose["options"][number]>[]): Choose =>
  ({ kind: "choose", side: 0, prompt: said, rules: [], about: "", options: options.map((option) => ({ id: "x", label: said, ...option })) });
const view = (turn: number | null, phase: string): View =>
  ({ outcome: null, picture: { turn, phases: [{ id: phase, name: said, now: true, units: [] }] } }) as unknown as View;

describe("what is let go", () => {
  it("is the end of the phase or the answer that declines, and nothing where something has to be chosen", () => {
    expect(letGo(choose({ id: "a" }, { id: "done", ends: true }))?.id).toBe("done");
    expect(letGo(choose({ id: "a" }, { id: "pass", passes: true }))?.id).toBe("pass");
    expect(letGo(choose({ id: "a" }, { id: "b" }))).toBeUndefined();
    expect(letGo(choose({ id: "a" }, { id: "done", ends: true }), false)).toBeUndefined();
  });

  it("ends with the turn, or at the phase that was named", () => {
    expect(reached({ phase: null, turn: 1 }, view(1, "hero"))).toBe(false);
    expect(reached({ phase: null, turn: 1 }, view(0, "hero"))).toBe(true);
    expect(reached({ phase: "charge", turn: 0 }, view(0, "shooting"))).toBe(false);
    expect(reached({ phase: "charge", turn: 0 }, view(0, "charge"))).toBe(true);
    expect(reached({ phase: null, turn: 1, during: "hero" }, view(1, "hero"))).toBe(false);
    expect(reached({ phase: null, turn: 1, during: "hero" }, view(1, "movement"))).toBe(true);
  });

  it("is alike where the same is asked about a deed of the same side", () => {
    const cards = [{ id: "a1", side: 0, pieces: ["a1.1"] }, { id: "b1", side: 1, pieces: [] }];
    const shown = { picture: { cards } } as unknown as View;
    const react = (about: string) => ({ ...choose({ id: "pass", passes: true }), prompt: { ...said, key: "react" }, about });
    expect(likeOf(react("a1.1"), shown)).toBe(likeOf(react("a1"), shown));
    expect(likeOf(react("b1"), shown)).not.toBe(likeOf(react("a1"), shown));
    expect(likeOf(choose({ id: "pass", passes: true }), shown)).not.toBe(likeOf(react("a1"), shown));
  });

  it("is not asked where all else comes to nothing", () => {
    expect(onlyAnswer(choose({ id: "charge", vain: true }, { id: "done", ends: true }))).toBe("done");
    expect(onlyAnswer(choose({ id: "charge", vain: true }, { id: "charge-b" }, { id: "done", ends: true }))).toBeUndefined();
  });
});
