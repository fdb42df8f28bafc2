import { describe, expect, it } from "vitest";
import type { Declare, Row } from "../src/protocol";
import { common, leaveOut, lines, takeIn, together } from "../src/table/declared";

const word = (zh: string) => ({ zh, en: zh });
const row = (id: string, group: string, ...targets: string[]): Row => ({ id, label: word(`${id}：${group}`), group: word(group), choices: { target: targets.map((t) => ({ id: t, label: word(t) })) } });
const ask = { kind: "declare", rows: [row("a", "枪", "x", "y"), row("b", "枪", "x"), row("c", "炮", "y")] } as unknown as Declare;
const guns = lines(ask)[0]!.rows;

describe("a declaration", () => {
  it("shows what is alike as one line under its name, and what is alone under its own", () => {
    expect(lines(ask).map((line) => [line.label.zh, line.rows.length])).toEqual([["枪", 2], ["c：炮", 1]]);
  });

  it("is chosen together by those that may, and the others go on as they did", () => {
    const parts = takeIn([], guns);
    expect(common(parts, guns, "target")).toBe("x");
    const aimed = together(parts, guns, "target", "y");
    expect(aimed.map((part) => part.choose.target)).toEqual(["y", "x"]);
    expect(common(aimed, guns, "target")).toBeUndefined();
  });

  it("may leave a line out and take it in again", () => {
    const parts = takeIn([], ask.rows);
    expect(leaveOut(parts, guns).map((part) => part.row)).toEqual(["c"]);
    expect(together([], guns, "target", "x").map((part) => part.row)).toEqual(["a", "b"]);
  });
});
