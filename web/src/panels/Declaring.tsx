import { useState } from "react";
import type { Declare, Option, Part, Row } from "../protocol";
import { common, first, leaveOut, lines, offered, spent, takeIn, together } from "../table/declared";
import { hand, useDraft } from "../table/draft";
import { ui } from "../table/ui";
import { sentence, useText } from "../text";
import { Ready } from "./Answers";

/** Many rows declared together, one line for those that are alike: what, how many of them, and at whom. */
export function Declaring({ ask }: { ask: Declare }) {
  const { t, tx } = useText();
  const { parts, ruling } = useDraft();
  const [open, setOpen] = useState<string[]>([]);
  const wrong = new Set(ruling?.reasons.map((reason) => reason.at));
  const toggle = (id: string) => setOpen(open.includes(id) ? open.filter((other) => other !== id) : [...open, id]);
  return (
    <>
      <ul className="declare">
        {lines(ask).map(({ id, label, rows }) => {
          const unfolded = rows.length === 1 || open.includes(id);
          const declared = rows.filter((row) => spent(parts, row) > 0).length;
          const bad = rows.some((row) => wrong.has(row.id));
          return (
            <li key={id} className={bad ? "wrong" : ""}>
              {rows.length > 1 && (
                <div className="line">
                  <button className="quiet fold" aria-expanded={unfolded} onClick={() => toggle(id)} title={t("oneByOne")}>{unfolded ? "▾" : "▸"}</button>
                  <b>{sentence(tx(label))} <small>× {declared}{declared < rows.length ? `/${rows.length}` : ""}</small></b>
                  {declared > 0 && Object.keys(rows[0]!.choices).map((name) => (
                    <Chosen key={name} name={name} options={offered(rows, name)} value={common(parts, rows, name)} onChoose={(to) => hand.declare(together(parts, rows, name, to))} />
                  ))}
                  {declared > 0
                    ? <button className="quiet" aria-label={t("leaveOut")} title={t("leaveOut")} onClick={() => hand.declare(leaveOut(parts, rows))}>✕</button>
                    : <button className="plain" onClick={() => hand.declare(takeIn(parts, rows))}>+</button>}
                </div>
              )}
              {unfolded && rows.map((row) => <One key={row.id} row={row} inner={rows.length > 1} />)}
            </li>
          );
        })}
      </ul>
      <Ready word="confirm" />
    </>
  );
}

/** One row, in as many parts as choose differently. */
function One({ row, inner }: { row: Row; inner: boolean }) {
  const { t, tx } = useText();
  const parts = useDraft((s) => s.parts);
  const change = (at: number, part: Part | null) => hand.declare(parts.flatMap((p, i) => (i !== at ? [p] : part ? [part] : [])));
  const count = row.count ?? 1;
  const own = parts.flatMap((part, at) => (part.row === row.id ? [{ part, at }] : []));
  const more = spent(parts, row) < count && Object.values(row.choices).every((options) => options.length > 0);
  return (
    <>
      {(own.length ? own : [null]).map((one, i) => (
        <div key={one?.at ?? "none"} className={inner ? "line inner" : "line"} onPointerEnter={() => ui.hover(row.refs?.[0] ?? null)} onPointerLeave={() => ui.hover(null)}>
          <b>{i === 0 && sentence(tx(row.label))}</b>
          {one && count > 1 && <input type="number" aria-label={t("howMany")} min={1} max={count} value={one.part.count ?? 1} onChange={(e) => change(one.at, { ...one.part, count: Number(e.target.value) })} />}
          {one && Object.entries(row.choices).map(([name, options]) => (
            <Chosen key={name} name={name} options={options} value={one.part.choose[name]} onChoose={(to) => change(one.at, { ...one.part, choose: { ...one.part.choose, [name]: to } })} />
          ))}
          {one && <button className="quiet" aria-label={t("leaveOut")} title={t("leaveOut")} onClick={() => change(one.at, null)}>✕</button>}
          {more && i === Math.max(0, own.length - 1) && <button className="quiet" aria-label="+" onClick={() => hand.declare([...parts, first(parts, row)])}>+</button>}
        </div>
      ))}
    </>
  );
}

/** What is chosen; where there is no choice, a word. At whom it is done stands behind an arrow. */
function Chosen({ name, options, value, onChoose }: { name: string; options: Option[]; value: string | undefined; onChoose: (id: string) => void }) {
  const { t, tx } = useText();
  const aimed = options.some((option) => option.refs?.length);
  if (!aimed && options.length < 2) return null;
  return (
    <span className="chosen" data-choice={name}>
      {aimed && <i aria-hidden="true">→</i>}
      {options.length < 2
        ? <span>{sentence(tx(options[0]?.label))}</span>
        : (
          <select value={value ?? ""} onChange={(e) => onChoose(e.target.value)} aria-label={sentence(tx(options[0]?.label))}>
            {value === undefined && <option value="" disabled>{t("mixed")}</option>}
            {options.map((option) => <option key={option.id} value={option.id}>{sentence(tx(option.label))}</option>)}
          </select>
        )}
    </span>
  );
}
