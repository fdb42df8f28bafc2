import { useEffect, useRef, useState } from "react";
import { ApiError } from "../api";
import { OddsPanel } from "../panels/Question";
import type { LabRuling, LabUse, Odds, Reason, Text, Wished } from "../protocol";
import { useTable } from "../table/store";
import { ui, useUi } from "../table/ui";
import { sentence, useText } from "../text";
import { lab, useLab } from "./lab";
import { addAt } from "./scene";
import { useLabWords } from "./words";

/** Why not? Any deed of any piece may be asked about, whoever is asked now. */
export function AskPanel() {
  const { tx } = useText();
  const w = useLabWords();
  const game = useLab((s) => s.game);
  const text = useLab((s) => s.text);
  const cards = useTable((s) => s.view?.picture.cards) ?? [];
  const selected = useUi((s) => s.selected);
  const [deed, setDeed] = useState("");
  const [who, setWho] = useState<string | null>(null);
  const [whom, setWhom] = useState("");
  const [using, setUsing] = useState("");
  const [uses, setUses] = useState<LabUse[]>([]);
  const [found, setFound] = useState<Wished | null>(null);
  const [problem, setProblem] = useState<Text | null>(null);
  const deeds = game?.deeds ?? [];
  const chosen = deeds.find((d) => d.id === deed) ?? deeds.find((d) => !d.needs.includes("using") && [...d.needs, ...d.may].includes("whom")) ?? deeds[0];
  const parts = chosen ? [...chosen.needs, ...chosen.may] : [];
  const known = (id: string | null) => (id !== null && cards.some((c) => c.id === id) ? id : null);
  const doer = known(selected) ?? known(who) ?? cards[0]?.id ?? "";
  // The answer comes into sight, where there is little room.
  const end = useRef<HTMLElement>(null);
  useEffect(() => void ((found || problem) && end.current?.scrollIntoView({ block: "nearest" })), [found, problem]);
  // What it may be done with is another for every deed and everybody.
  const wanted = parts.includes("using") ? chosen!.id : "";
  const needsUse = !!chosen?.needs.includes("using");
  useEffect(() => {
    setUses([]);
    setUsing("");
    if (!wanted) return;
    let gone = false;
    void lab.uses(wanted, doer).then((some) => gone || (setUses(some), needsUse && setUsing(some[0]?.id ?? "")), () => undefined);
    return () => void (gone = true);
  }, [wanted, doer, needsUse]);
  if (!chosen) return <Rulings />;
  const needsWhom = chosen.needs.includes("whom");
  const aim = known(whom) ?? (needsWhom ? cards.find((c) => c.side !== cards.find((own) => own.id === doer)?.side)?.id : null) ?? "";
  const helpless = needsUse && !using;
  const wish = {
    deed: chosen.id,
    ...(parts.includes("who") && doer ? { who: doer } : {}),
    ...(parts.includes("whom") && aim ? { whom: [aim] } : {}),
    ...(parts.includes("using") && using ? { using } : {}),
  };
  async function ask() {
    setFound(null);
    setProblem(null);
    try {
      setFound(await lab.wish(wish, null));
    } catch (error) {
      setProblem(error instanceof ApiError ? error.text : { zh: String(error), en: String(error) });
    }
  }
  const units = (empty: boolean) => (
    <>
      {empty && <option value="">—</option>}
      {cards.map((c) => <option key={c.id} value={c.id}>{sentence(w(c.side ? "sideB" : "sideA"))} · {tx(c.name)} ({c.id})</option>)}
    </>
  );
  return (
    <form className="ask" onSubmit={(e) => (e.preventDefault(), void ask())}>
      <label>{w("deed")}
        <select value={chosen.id} onChange={(e) => setDeed(e.target.value)} name="deed">
          {deeds.map((d) => <option key={d.id} value={d.id}>{sentence(tx(d.name))}</option>)}
        </select>
      </label>
      {parts.includes("who") && <label>{w("who")}<select name="who" value={doer} onChange={(e) => (setWho(e.target.value), ui.select(e.target.value))}>{units(false)}</select></label>}
      {parts.includes("whom") && <label>{w("whom")}<select name="whom" value={aim} onChange={(e) => setWhom(e.target.value)}>{units(!needsWhom)}</select></label>}
      {parts.includes("using") && (
        <label>{w("using")}
          <select name="using" value={using} onChange={(e) => setUsing(e.target.value)}>
            {!(needsUse && uses.length) && <option value="">{needsUse ? w("noUse") : "—"}</option>}
            {uses.map((use) => <option key={use.id} value={use.id}>{sentence(tx(use.name))}</option>)}
          </select>
        </label>
      )}
      <p className="row">
        <button className="brass" disabled={helpless}>{w("why")}</button>
        <button className="plain" type="button" disabled={helpless} onClick={() => lab.change(addAt(text, ["answers"], { ask: wish }))}>{w("keep")}</button>
      </p>
      {problem && <p className="problem" role="alert">{tx(problem)}</p>}
      {found && <Word legal={found.legal} reasons={found.reasons} odds={found.odds} />}
      <i ref={end} />
      <p className="help">{w("measureTip")}</p>
      <Rulings />
    </form>
  );
}

function Word({ legal, reasons, odds }: { legal: boolean; reasons: Reason[]; odds: Odds | null }) {
  const { tx } = useText();
  const w = useLabWords();
  if (legal)
    return (
      <>
        <p className="legal" role="status">✓ {w("nothing")}</p>
        {odds && <OddsPanel odds={odds} seenBy={[]} />}
      </>
    );
  return (
    <div className="refused" role="status">
      <b>{w("refusedBy")}</b>
      <ul>
        {reasons.map((reason, i) => (
          <li key={i}>
            {sentence(tx(reason.text).replace(/\s*\[[\w.-]+\]$/, ""))}
            {reason.rule && <button type="button" className="rule-id" onClick={() => (ui.openRule(reason.rule), lab.set({ tab: "log" }))}>§ {reason.rule}</button>}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What the file asks and answers, with the umpire's word on each. */
function Rulings() {
  const w = useLabWords();
  const found = useLab((s) => s.found);
  const puzzle = useLab((s) => s.puzzle);
  const solved = useLab((s) => s.solved);
  if (!found?.rulings.length || (puzzle && !solved)) return null;
  return (
    <section className="rulings">
      <h4>{w("ruled")}</h4>
      <ol>{found.rulings.map((ruling, n) => <li key={n}><Asked ruling={ruling} /><Word legal={ruling.legal} reasons={ruling.reasons} odds={ruling.odds} /></li>)}</ol>
    </section>
  );
}

function Asked({ ruling }: { ruling: LabRuling }) {
  const { tx } = useText();
  const cards = useTable((s) => s.view?.picture.cards) ?? [];
  const deeds = useLab((s) => s.game?.deeds) ?? [];
  const t = useLabWords();
  const name = (id: unknown) => tx(cards.find((c) => c.id === id || c.pieces.includes(String(id)))?.name) || String(id);
  /** An answer in short: who or what is named, or where it would stand. */
  const brief = (answer: unknown): string => {
    if (answer === undefined || answer === null) return "";
    if (Array.isArray(answer)) return answer.map(brief).join(t("comma"));
    if (typeof answer !== "object") return name(answer);
    const { x, y, to, path, models } = answer as Record<string, unknown>;
    if (typeof x === "number" && typeof y === "number") return `(${x}, ${y})`;
    if (to) return `→ ${brief(to)}`;
    if (Array.isArray(path)) return `→ ${path.map((leg) => brief({ ...leg, to: undefined })).filter((leg) => leg.startsWith("(")).join(" → ") || path.length}`;
    if (models && typeof models === "object") return `→ ${Object.values(models).map(brief).join(" ")}`;
    return JSON.stringify(answer);
  };
  const wish = ruling.ask as { deed: string; who?: string; whom?: string[]; using?: string; answer?: unknown } | null;
  const said = wish
    ? [wish.who && name(wish.who), wish.deed === "answer" ? t("answered") : tx(deeds.find((d) => d.id === wish.deed)?.name) || wish.deed, ...(wish.whom ?? []).map(name), tx(ruling.using) || wish.using, brief(wish.answer)]
    : [tx(ruling.prompt), tx(ruling.said) || brief(ruling.answer)];
  return <p className="asked"><i className={`swatch side${ruling.side}`} />{said.filter(Boolean).join(" · ")}</p>;
}
