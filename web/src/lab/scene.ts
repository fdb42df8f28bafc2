/** The text of a scene, changed by hand or by the table: comments and the way it is written stay. */
import { type Document, isCollection, isMap, isNode, isSeq, parseDocument, YAMLMap } from "yaml";
import type { Handle, Json } from "../protocol";

export type Path = (string | number)[];

const OPTIONS = { lineWidth: 0, flowCollectionPadding: false } as const;
const round = (value: number) => Math.round(value * 100) / 100;

/** The text with a change made to its data; a text that cannot be read is left alone. */
function changed(text: string, change: (doc: Document) => void): string {
  const doc = parseDocument(text);
  if (doc.errors.length || !isMap(doc.contents)) return text;
  change(doc);
  return doc.toString(OPTIONS);
}

const plain = (value: unknown): unknown => (isNode(value) ? value.toJSON() : value);

export const valueAt = (text: string, path: Path): unknown => {
  const doc = parseDocument(text);
  return doc.errors.length ? undefined : plain(doc.getIn(path));
};

/** Set a field, or take it out again where it is given nothing. */
export const setAt = (text: string, path: Path, value: unknown): string =>
  changed(text, (doc) => {
    if (value === undefined || value === "") doc.deleteIn(path);
    else doc.setIn(path, isCollection(value) ? value : doc.createNode(value, { flow: true }));
  });

/** The list of that name in the position; one that is not there yet, or is empty, is made. */
function listAt(doc: Document, path: Path) {
  const known = doc.getIn(path);
  if (isSeq(known)) {
    if (!known.items.length) known.flow = false;
    return known;
  }
  doc.setIn(path, doc.createNode([]));
  return doc.getIn(path) as Extract<typeof known, { items: unknown[] }>;
}

export const addAt = (text: string, path: Path, entry: unknown): string =>
  changed(text, (doc) => {
    const list = listAt(doc, path);
    if (isSeq(list)) list.flow = false;
    (list as { add(node: unknown): void }).add(doc.createNode(entry, { flow: true }));
  });

export const removeAt = (text: string, path: Path): string => changed(text, (doc) => void doc.deleteIn(path));

/** An answer at the end of the scene. */
export const withAnswer = (text: string, side: number, answer: Json): string => addAt(text, ["answers"], { side, answer });

/** The scene with one answer or question fewer; the same text where there is none. */
export const withoutLast = (text: string): string =>
  changed(text, (doc) => {
    const list = doc.getIn(["answers"]);
    if (isSeq(list) && list.items.length) list.items.pop();
    if (isSeq(list) && !list.items.length) doc.deleteIn(["answers"]);
  });

/** Where an entry stands, by as much further: the whole of it, or one of its models. */
export function shifted(entry: Record<string, unknown>, form: Handle["form"], by: [number, number], model: number | null): Record<string, unknown> {
  const move = (spot: unknown) => (Array.isArray(spot) ? [round(Number(spot[0]) + by[0]), round(Number(spot[1]) + by[1]), ...spot.slice(2)] : spot);
  if (form === "models") return { ...entry, models: (entry.models as unknown[]).map((spot, n) => (model === null || n === model ? move(spot) : spot)) };
  if (form === "points") return { ...entry, points: (entry.points as unknown[]).map(move) };
  return { ...entry, x: round(Number(entry.x ?? 0) + by[0]), y: round(Number(entry.y ?? 0) + by[1]) };
}

export const shift = (text: string, handle: Handle, by: [number, number], alone = false): string =>
  changed(text, (doc) => {
    const node = doc.getIn(handle.path);
    if (!(node instanceof YAMLMap)) return;
    const moved = shifted(node.toJSON() as Record<string, unknown>, handle.form, by, alone ? handle.model : null);
    for (const key of ["x", "y", "models", "points"])
      if (key in moved && JSON.stringify(moved[key]) !== JSON.stringify(plain(node.get(key)))) node.set(key, doc.createNode(moved[key], { flow: true }));
  });

/** How an entry says where it stands: its models each by itself, by its corners, or by one spot. */
export const formOf = (entry: Record<string, unknown>): Handle["form"] =>
  Array.isArray(entry.models) && Array.isArray(entry.models[0]) ? "models" : "points" in entry ? "points" : "spot";

/** An id that no entry has: a letter and the next number. */
export function freeId(text: string, letter: string): string {
  const ids = new Set([...text.matchAll(/\bid: *"?([\w.-]+)/g)].map((m) => m[1]));
  for (let n = 1; ; n++) if (!ids.has(`${letter}${n}`)) return `${letter}${n}`;
}

// -- links ---------------------------------------------------------------------------------------------------------

const through = async (bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array> =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>)).arrayBuffer());

/** A scene as the end of an address. */
export async function pack(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export async function unpack(packed: string): Promise<string> {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  return new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
}
