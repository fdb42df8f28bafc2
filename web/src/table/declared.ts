/** Many rows declared together: what is alike is shown as one line, and chosen at once. */
import type { Declare, Option, Part, Row, Text } from "../protocol";

/** Rows that are alike but for whose they are, under one name; a row that is like no other stands alone. */
export interface Line {
  id: string;
  label: Text;
  rows: Row[];
}

export function lines(ask: Declare): Line[] {
  const found = new Map<string, Line>();
  for (const row of ask.rows) {
    const key = row.group ? JSON.stringify([row.group.zh, row.group.en, Object.keys(row.choices)]) : row.id;
    const line = found.get(key);
    if (line) line.rows.push(row);
    else found.set(key, { id: row.id, label: row.group ?? row.label, rows: [row] });
  }
  return [...found.values()].map((line) => (line.rows.length > 1 ? line : { ...line, label: line.rows[0]!.label }));
}

const most = (row: Row) => row.count ?? 1;
export const spent = (parts: Part[], row: Row): number => parts.reduce((sum, part) => sum + (part.row === row.id ? (part.count ?? 1) : 0), 0);

/** A part of all that a row has left, with the first that it offers of each choice. */
export const first = (parts: Part[], row: Row): Part =>
  ({ row: row.id, choose: Object.fromEntries(Object.entries(row.choices).map(([name, options]) => [name, options[0]?.id ?? ""])), count: most(row) - spent(parts, row) });

/** All that any of these rows offers of a choice. */
export function offered(rows: Row[], name: string): Option[] {
  const all = new Map(rows.flatMap((row) => row.choices[name] ?? []).map((option) => [option.id, option]));
  return [...all.values()];
}

/** What all parts of these rows choose, if they agree. */
export function common(parts: Part[], rows: Row[], name: string): string | undefined {
  const own = new Set(rows.map((row) => row.id));
  const chosen = new Set(parts.flatMap((part) => (own.has(part.row) ? [part.choose[name]] : [])));
  return chosen.size === 1 ? [...chosen][0] : undefined;
}

/** These rows choose this, those of them that may; the others go on as they did. */
export function together(parts: Part[], rows: Row[], name: string, id: string): Part[] {
  const may = new Map(rows.filter((row) => row.choices[name]?.some((option) => option.id === id)).map((row) => [row.id, row]));
  const missing = [...may.values()].filter((row) => !parts.some((part) => part.row === row.id)).map((row) => first(parts, row));
  return [...parts, ...missing].map((part) => (may.has(part.row) ? { ...part, choose: { ...part.choose, [name]: id } } : part));
}

/** None of these rows is declared, or all of them with what they offer first. */
export function leaveOut(parts: Part[], rows: Row[]): Part[] {
  const own = new Set(rows.map((row) => row.id));
  return parts.filter((part) => !own.has(part.row));
}

export const takeIn = (parts: Part[], rows: Row[]): Part[] =>
  [...parts, ...rows.filter((row) => spent(parts, row) < most(row) && Object.values(row.choices).every((options) => options.length > 0)).map((row) => first(parts, row))];
