import { type ReactNode, useState } from "react";
import type { LabField, LabStock } from "../protocol";
import { useTable } from "../table/store";
import { ui, useUi } from "../table/ui";
import { sentence, useText } from "../text";
import { lab, useLab } from "./lab";
import { roomFor, type Box } from "./room";
import { addAt, formOf, freeId, removeAt, setAt, shifted, valueAt, type Path } from "./scene";
import { useLabWords } from "./words";

/** The library, what is written of the selected piece, and what has happened: forms made from the scene's own fields. */
export function SetUp() {
  const w = useLabWords();
  const { game, text, found } = useLab();
  const selected = useUi((s) => s.selected);
  const pieces = useTable((s) => s.view?.picture.pieces) ?? [];
  if (!game) return null;
  const handles = found?.handles ?? {};
  const piece = selected && pieces.find((p) => p.unit === selected || p.id === selected);
  const handle = (selected && handles[selected]) || (piece && handles[piece.id]) || null;
  const listed = handle ? game.fields[""]!.find((f) => f.name === handle.path[1]) : undefined;
  return (
    <div className="set-up">
      <p className="help">{w("arrangeSays")}</p>
      <Stock />
      <details open>
        <summary>{w("chosen")}</summary>
        {handle && listed?.of ? (
          <>
            <Fields key={handle.path.join()} of={listed.of} path={handle.path} text={text} />
            <button className="plain" onClick={() => lab.change(removeAt(text, handle.path))}>{w("remove")}</button>
          </>
        ) : (
          <p className="help">{w("noneChosen")}</p>
        )}
      </details>
      <Fold summary={w("position")}>{() => <Fields of="" path={["position"]} text={text} />}</Fold>
    </div>
  );
}

/** What the library has: a click puts it on the table, where it can be dragged. */
function Stock() {
  const { tx } = useText();
  const w = useLabWords();
  const { game, text } = useLab();
  const picture = useTable((s) => s.view?.picture);
  const [words, setWords] = useState("");
  const [side, setSide] = useState(0);
  if (!game?.stock.length) return null;
  const sought = words.trim().toLowerCase();
  const fits = (one: LabStock) => !sought || `${one.name.zh} ${one.name.en} ${one.group.zh} ${one.group.en}`.toLowerCase().includes(sought);
  const groups = new Map<string, LabStock[]>();
  for (const one of game.stock.filter(fits)) groups.set(tx(one.group), [...(groups.get(tx(one.group)) ?? []), one]);
  const fields = game.fields;
  function put(one: LabStock) {
    if (!picture) return;
    const of = fields[""]!.find((f) => f.name === one.into)?.of ?? "";
    const has = (name: string) => fields[of]?.some((f) => f.name === name);
    const id = has("id") ? freeId(text, has("side") ? "ab"[side]! : "g") : null;
    const turned = side === 1 && has("side") && "x" in one.entry && has("facing");
    const box: Box = turned ? [-one.box[2], -one.box[3], -one.box[0], -one.box[1]] : one.box;
    const at = roomFor(box, [picture.width / 2, picture.depth * (!has("side") ? 0.5 : side ? 0.7 : 0.3)], picture);
    const entry = {
      ...(id ? { id } : {}),
      ...(has("side") ? { side } : {}),
      ...shifted(one.entry, formOf(one.entry), at, null),
      ...(turned ? { facing: 180 } : {}),
    };
    lab.change(addAt(text, ["position", one.into], entry));
    lab.arrange(true);
    if (id) ui.select(id);
  }
  return (
    <details open className="stock">
      <summary>{w("stock")}</summary>
      <p className="row">
        <input type="search" placeholder={w("find")} aria-label={w("find")} value={words} onChange={(e) => setWords(e.target.value)} />
        <select aria-label={w("side")} value={side} onChange={(e) => setSide(Number(e.target.value))}>
          <option value={0}>{w("sideA")}</option>
          <option value={1}>{w("sideB")}</option>
        </select>
      </p>
      {[...groups].map(([group, entries]) => (
        <details key={group} open={!!sought} name={sought ? undefined : "stock"}>
          <summary>{group} <small>{entries.length}</small></summary>
          <div className="shelf">
            {entries.map((one, n) => <button key={n} className="plain" data-stock={one.into} onClick={() => put(one)}>{tx(one.name)}</button>)}
          </div>
        </details>
      ))}
    </details>
  );
}

/** The fields of an entry: those that are set first, the others when they are wanted. */
function Fields({ of, path, text }: { of: string; path: Path; text: string }) {
  const w = useLabWords();
  const fields = useLab((s) => s.game?.fields[of]) ?? [];
  const value = (valueAt(text, path) ?? {}) as Record<string, unknown>;
  const set = fields.filter((f) => f.name in value || f.required);
  const others = fields.filter((f) => !set.includes(f));
  const row = (f: LabField) => (
    f.kind === "list" && f.of && typeof value[f.name] !== "string"
      ? <Entries key={f.name} field={f} path={[...path, f.name]} value={value[f.name]} text={text} />
      : f.kind === "entry" && f.of && value[f.name] && typeof value[f.name] === "object"
        ? <Entry key={f.name} field={f} path={[...path, f.name]} text={text} />
        : <FieldRow key={f.name} field={f} path={[...path, f.name]} value={value[f.name]} text={text} />
  );
  return (
    <div className="fields">
      {set.map(row)}
      {others.length > 0 && (
        <Fold summary={<>{w("more")} <small>{others.length}</small></>}>{() => others.map(row)}</Fold>
      )}
    </div>
  );
}

/** What is folded away is not there before it is opened: a whole battle has thousands of fields. */
function Fold({ summary, className, open = false, children }: { summary: ReactNode; className?: string; open?: boolean; children: () => ReactNode }) {
  const [shown, setShown] = useState(open);
  return (
    <details className={className} open={shown} onToggle={(e) => setShown(e.currentTarget.open)}>
      <summary>{summary}</summary>
      {shown && children()}
    </details>
  );
}

/** A list of entries: sides, objectives, effects, and everything that stands on the table. */
function Entries({ field, path, value, text }: { field: LabField; path: Path; value: unknown; text: string }) {
  const { tx } = useText();
  const w = useLabWords();
  const entries = Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
  return (
    <Fold className="entries" summary={<>{sentence(tx(field.about))} <code>{field.name}</code> <small>{entries.length}</small></>}>
      {() => (
        <>
          {entries.map((entry, n) => (
            <Fold key={n} summary={String(entry?.id ?? n + 1)}>
              {() => (
                <>
                  <Fields of={field.of!} path={[...path, n]} text={text} />
                  <button className="quiet" onClick={() => lab.change(removeAt(text, [...path, n]))}>{w("remove")}</button>
                </>
              )}
            </Fold>
          ))}
          <button className="quiet" onClick={() => lab.change(addAt(text, path, {}))}>＋ {w("add")}</button>
        </>
      )}
    </Fold>
  );
}

/** Something with fields of its own that is spelt out: a profile, a card, the readings of disputed rules. */
function Entry({ field, path, text }: { field: LabField; path: Path; text: string }) {
  const { tx } = useText();
  return (
    <Fold className="entries" open={field.name === "profile"} summary={<>{sentence(tx(field.about))} <code>{field.name}</code></>}>
      {() => <Fields of={field.of!} path={path} text={text} />}
    </Fold>
  );
}

function FieldRow({ field, path, value, text }: { field: LabField; path: Path; value: unknown; text: string }) {
  const { tx, lang } = useText();
  const w = useLabWords();
  const put = (given: unknown) => lab.change(setAt(text, path, given));
  const label = <span title={field.name}>{sentence(tx(field.about))} <code>{field.name}</code></span>;
  if (field.kind === "yes")
    return <label className="check"><input type="checkbox" checked={value === true} onChange={(e) => put(e.target.checked || undefined)} />{label}</label>;
  if (field.choices.length && field.kind !== "list")
    return (
      <label>{label}
        <select value={value === undefined ? "" : JSON.stringify(value)} onChange={(e) => put(e.target.value === "" ? undefined : JSON.parse(e.target.value))}>
          {!field.required && <option value="">—</option>}
          {field.choices.map((c) => <option key={String(c.value)} value={JSON.stringify(c.value)}>{c.name ? w("choice", { name: tx(c.name), value: String(c.value) }) : String(c.value) || "—"}</option>)}
        </select>
      </label>
    );
  // What something is called is typed in the language that is read; the file keeps the others.
  if (/^names?$/.test(field.name) && value && typeof value === "object" && lang in value) {
    const said = value as Record<string, unknown>;
    return <Typed key={`${lang}${String(said[lang])}`} label={label} kind="text" value={said[lang]} put={(given) => lab.change(setAt(text, [...path, lang], given || String(said[lang])))} />;
  }
  return <Typed key={JSON.stringify(value)} label={label} kind={field.kind} value={value} put={put} />;
}

/** A value that is typed: given when the field is left or Enter is pressed. Lists and entries are written as in the file. */
function Typed({ label, kind, value, put }: { label: ReactNode; kind: LabField["kind"]; value: unknown; put: (value: unknown) => void }) {
  const shown = value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
  const [said, setSaid] = useState(shown);
  const [wrong, setWrong] = useState(false);
  function give() {
    if (said === shown) return;
    if (said.trim() === "") return put(undefined);
    if (kind === "integer" || kind === "number") return Number.isNaN(Number(said)) ? setWrong(true) : put(Number(said));
    if (kind === "text" && !/^[[{]/.test(said)) return put(said);
    try {
      put(JSON.parse(said));
    } catch {
      if (/^[[{]/.test(said)) setWrong(true);
      else put(said);
    }
  }
  return (
    <label>{label}
      <input value={said} aria-invalid={wrong} onChange={(e) => (setSaid(e.target.value), setWrong(false))} onBlur={give} onKeyDown={(e) => e.key === "Enter" && (e.preventDefault(), give())} />
    </label>
  );
}
