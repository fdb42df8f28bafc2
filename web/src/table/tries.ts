/** What a newcomer was told to try, and has. It is remembered for the table, also after a reload. */
import { create } from "zustand";
import type { Decision, Json, Try } from "../protocol";

const KEPT = "umpire.tried";

export const useTried = create<{ done: string[] }>(() => ({ done: JSON.parse(sessionStorage.getItem(KEPT) ?? "[]") as string[] }));

/** An answer is given: note the question, and with it what the answer begins with. */
export function tried(table: string, ask: Decision | null, answer: Json): void {
  if (!ask?.prompt.key || ask.preparing) return;
  const key = `${table} ${ask.prompt.key}`;
  const beginning = typeof answer === "string" ? answer.split(/[-:]/)[0]! : "";
  const { done } = useTried.getState();
  const more = [...new Set([...done, key, `${key}:${beginning}`])];
  if (more.length === done.length) return;
  sessionStorage.setItem(KEPT, JSON.stringify(more));
  useTried.setState({ done: more });
}

export const isDone = (table: string, one: Try, done: string[]): boolean => one.asks.some((ask) => done.includes(`${table} ${ask}`));
