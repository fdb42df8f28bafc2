import { describe, expect, it } from "vitest";
import type { Choose, ChooseSeveral, Follows } from "../src/protocol";
import { branches, expected, stepsTo } from "../src/table/following";

const said = (key: string) => ({ key, zh: key, en: key });
const choose = (key: string, ...ids: string[]): Choose =>
  ({ kind: "choose", side: 0, prompt: said(key), rules: [], about: "", options: ids.map((id) => ({ id, label: said(id) })) });
const several = (key: string, ...ids: string[]): ChooseSeveral => ({ ...(choose(key, ...ids) as object), kind: "choose-several", least: 0, most: 1 }) as ChooseSeveral;

describe("the ways on from an option", () => {
  const spells: Follows = { ask: choose("spell", "bolt", "shield"), then: { bolt: { ask: several("whom", "one", "other"), then: {} } } };

  it("are told with every answer that they take, in their order and as their question wants them", () => {
    const [bolt, shield] = branches(spells);
    expect(bolt!.steps).toEqual([{ key: "spell", answer: "bolt" }]);
    expect(bolt!.further.map((way) => way.steps)).toEqual([
      [{ key: "spell", answer: "bolt" }, { key: "whom", answer: ["one"] }],
      [{ key: "spell", answer: "bolt" }, { key: "whom", answer: ["other"] }],
    ]);
    expect(shield!.further).toEqual([]);
  });

  it("are gone only where the same is asked and still offered", () => {
    expect(expected(several("whom", "one"), { key: "whom", answer: ["one"] })).toBe(true);
    expect(expected(several("whom", "other"), { key: "whom", answer: ["one"] })).toBe(false);
    expect(expected(choose("who", "one"), { key: "whom", answer: "one" })).toBe(false);
    expect(expected(choose("whom", "one"), undefined)).toBe(false);
  });

  it("lead to the unit on which another was let go of, and a reaction is no choice of a target", () => {
    const charge = { id: "charge", label: said("charge"), drop: true };
    const shoot = { id: "shoot", label: said("shoot") };
    const whom: Follows = { ask: several("whom", "one"), then: {} };
    const react: Follows = { ask: choose("react", "again", "pass"), then: {} };
    react.ask = { ...react.ask, options: [{ id: "again", label: said("again") }, { id: "pass", label: said("pass"), passes: true }] } as Choose;
    expect(stepsTo(shoot, whom, "one")).toEqual([{ key: "whom", answer: ["one"] }]);
    expect(stepsTo(shoot, whom, "other")).toBeUndefined();
    expect(stepsTo(shoot, undefined, "other")).toBeUndefined();
    expect(stepsTo(charge, whom, "other")).toBeUndefined();
    expect(stepsTo(charge, undefined, "other")).toEqual([]);
    expect(stepsTo(charge, react, "other")).toEqual([]);
  });
});
