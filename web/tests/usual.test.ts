import { expect, test } from "vitest";
import { entries } from "../src/table/deeds";
import { usual } from "../src/table/declining";
import type { Choose, Decision, Option } from "../src/protocol";

const asked = { side: 0, prompt: { key: "ask.x", zh: "", en: "" }, rules: [], about: "" };
const choose = (options: Partial<Option>[], more = {}) => ({ ...asked, kind: "choose", options, ...more }) as unknown as Choose;

test("what is usual: the default, the order as it lies there of a detail, and to decline what is offered", () => {
  expect(usual(choose([{ id: "a" }, { id: "b" }]))).toBeUndefined();
  expect(usual(choose([{ id: "a" }, { id: "b" }], { default: "b" }))).toBe("b");
  expect(usual(choose([{ id: "a" }, { id: "no", passes: true }]))).toBe("no");
  const order = { ...asked, kind: "order", options: [{ id: "a" }, { id: "b" }] } as unknown as Decision;
  expect(usual(order)).toBeUndefined();
  expect(usual({ ...order, detail: true } as Decision)).toEqual(["a", "b"]);
});

test("the deeds of a few units stand beside their names, those of many are opened unit by unit", () => {
  const deeds = (units: number) => choose([...Array.from({ length: units }, (_, n) => ["move", "run"].map((deed) => ({ id: `${deed}:${n}`, unit: `u${n}` }))).flat(), { id: "done", ends: true }]);
  const few = entries(deeds(6), null, false);
  expect(few).toHaveLength(13);
  expect(few.slice(0, 12).every((entry) => entry.among && entry.index !== null)).toBe(true);
  expect(few[12]).toEqual({ index: 12, unit: null });
  expect(entries(deeds(9), null, false).slice(0, 9).every((entry) => entry.index === null)).toBe(true);
  expect(entries(deeds(9), "u3", false).map((entry) => entry.index)).toEqual([6, 7, 18]);
});
