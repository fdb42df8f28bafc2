import { describe, expect, it } from "vitest";
import type { Manner } from "../src/protocol";
import { carried, leading, stepped, turning } from "../src/table/formation";

const label = { zh: "", en: "" };
const along = (id: string, towards: number): Manner => ({ id, label, by: "inches", price: 0, towards });
const manners: Manner[] = [along("ahead", 0), { id: "swing", label, by: "degrees", price: 0.1, towards: null }, along("west", 270), along("east", 90), along("rear", 180)];
const [ahead, swing, west, east, rear] = manners as [Manner, Manner, Manner, Manner, Manner];

describe("carrying", () => {
  const at = { x: 0, y: 0, z: 0, facing: 0 };

  it("keeps what is carried where it was within the whole, clockwise", () => {
    expect(carried({ ...at, x: 1 }, at, { ...at, x: 5, facing: 90 })).toEqual({ x: 5, y: -1, z: 0, facing: 90 });
  });
});

describe("manoeuvres", () => {
  it("are found by where they lead, whatever a book calls them", () => {
    expect(leading(manners, 450)).toBe(east);
    expect(leading(manners, 180 + 180)).toBe(ahead);
    expect(turning(manners)).toBe(swing);
  });

  it("lengthen the last leg, or shorten its opposite", () => {
    const one = stepped([], ahead, 1, manners);
    expect(stepped(one, ahead, 1, manners)).toEqual([{ how: "ahead", inches: 2 }]);
    expect(stepped(one, rear, 0.5, manners)).toEqual([{ how: "ahead", inches: 0.5 }]);
    expect(stepped(one, rear, 1, manners)).toEqual([]);
    expect(stepped(one, west, 1, manners)).toEqual([{ how: "ahead", inches: 1 }, { how: "west", inches: 1 }]);
  });

  it("turn on, back, and not at all", () => {
    const one = stepped([], swing, 15, manners);
    expect(stepped(one, swing, 15, manners)).toEqual([{ how: "swing", degrees: 30 }]);
    expect(stepped(one, swing, -15, manners)).toEqual([]);
  });
});
