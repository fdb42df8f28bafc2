import { heldTables } from "../api";
import { usual } from "../table/declining";
import { useDraft } from "../table/draft";
import { isMoving, manoeuvres } from "../table/moving";
import { clearRefusal, diceVerdict, question, recapAt, say, useTable } from "../table/store";
import type { Decision, Odds, Ruling } from "../protocol";
import { counted, sentence, sideWord, useText } from "../text";
import { askLeave } from "../table/notices";
import { useSettings } from "../settings";
import { Faces } from "./Dice";
import { Legs } from "./Legs";
import { Meaning } from "./Meaning";
import { Sign } from "./Sign";
import { ui } from "../table/ui";
import { askFor, useGiven, wishFor } from "../table/usual";

export function Question() {
  const { t, tx } = useText();
  const ask = useTable(question);
  const view = useTable((s) => s.view)!;
  const showing = useTable((s) => s.showing);
  const refusal = useTable((s) => s.refusal);
  const recap = useTable((s) => s.recap);
  const { ruling, checking, odds, hint, pondering, touched, move } = useDraft();
  const card = ask && view.picture.cards.find((c) => c.id === ask.about || c.pieces.includes(ask.about));

  return (
    <section className={ask ? "question asked" : "question"} aria-live="polite" aria-busy={checking}>
      {ask ? (
        <>
          <header>
            <span className={`who side${ask.side}`}>
              <i className={`swatch side${ask.side}`} />
              {t("asked")}
              {card && <> · {tx(card.name)}</>}
            </span>
            <Sign rules={ask.rules} />
          </header>
          <h2>{sentence(tx(ask.prompt))}</h2>
          {(ask.kind === "confirm" || (ask.kind === "choose" && ask.options.some((option) => option.passes))) && <Thrown />}
          {isMoving(ask) && <p className="help keys-only">{t(move && manoeuvres(move) ? "drillHelp" : ask.kind === "move" ? "dragHelp" : "placeHelp")}</p>}
          {isMoving(ask) && <p className="help touch-only">{t("touchHelp")}</p>}
          {ask.kind === "face" && <p className="help keys-only">{t("faceHelp")}</p>}
          {ask.kind === "order" && <p className="help keys-only">{t("orderHelp")}</p>}
          {pondering && !hint && <p className="hint">☞ {t("pondering")}</p>}
          {hint && <p className="hint">☞ {t("hintSays")}{tx(hint) && `${t("colon")}${tx(hint)}`}</p>}
          {(touched || ask.kind === "choose-several") && (ruling ? <Verdict ruling={ruling} /> : checking && <p className="help">{t("checking")}</p>)}
          {refusal && !refusal.legal && <Verdict ruling={refusal} onClose={clearRefusal} />}
          <Legs />
          <Standing ask={ask} />
          {odds || ruling?.seen_by.length ? <OddsPanel odds={odds} seenBy={ruling?.seen_by ?? []} /> : <Meaning />}
        </>
      ) : (
        <Waiting showing={showing} looking={recap !== null} />
      )}
      <Recap />
      <TakeBack />
    </section>
  );
}

/** What was answered as usual, and the wish not to be asked again. */
function Standing({ ask }: { ask: Decision }) {
  const { t, tx } = useText();
  const view = useTable((s) => s.view)!;
  const given = useGiven((s) => s.given);
  const answer = usual(ask);
  const declines = ask.kind === "choose" && ask.default === undefined;
  function never() {
    askFor(wishFor(view, ask), ask.prompt, false);
    say.answer(answer);
  }
  return (
    <>
      {given.map((one) => (
        <p key={one.key} className="help usual">
          {t("asUsual")} {sentence(tx(one.prompt))} <button className="quiet" onClick={() => askFor(one.key, one.prompt, true)} data-ask-me>{t("askMe")}</button>
        </p>
      ))}
      {answer !== undefined && answer !== null && <button className="quiet usual" onClick={never} data-never>{t(declines ? "neverHere" : "neverAsk")}</button>}
    </>
  );
}

/** What the other side did since one last decided, step by step. */
function Recap() {
  const { t } = useText();
  const recent = useTable((s) => s.recent.length);
  const recap = useTable((s) => s.recap);
  const showing = useTable((s) => s.showing);
  if (showing || recent < 3) return null;
  if (recap === null) return <button className="quiet recap" onClick={() => recapAt(0)}>⟲ {t("recap")}</button>;
  return (
    <p className="row recap" role="group" aria-label={t("recap")}>
      <button className="plain" disabled={recap === 0} onClick={() => recapAt(recap - 1)} aria-label={t("earlier")}>◀</button>
      <span>{t("recapStep", { n: recap + 1, of: recent })}</span>
      <button className="plain" disabled={recap === recent - 1} onClick={() => recapAt(recap + 1)} aria-label={t("later")}>▶</button>
      <button className="brass" onClick={() => recapAt(null)}>{t("recapBack")}</button>
    </p>
  );
}

/** So many lines of a step are told where it is looked at again; the log has them all. */
const MOST_TOLD = 4;

function Waiting({ showing, looking }: { showing: boolean; looking: boolean }) {
  const { t, tx } = useText();
  const view = useTable((s) => s.view)!;
  if (looking) return <div className="told">{view.events.slice(-MOST_TOLD).map((event) => <p key={event.n}>{sentence(tx(event.text))}</p>)}</div>;
  if (showing) return <p className="help">{t("showing")}</p>;
  if (view.outcome) return <Outcome />;
  const seats = view.waiting.map((side) => view.table.seats.find((s) => s.side === side));
  const computer = seats.some((s) => s?.kind === "computer");
  /** Whoever is waited for sits at this screen too. */
  const held = heldTables().filter((one) => one.table === view.table.id).flatMap((one) => one.others ?? []);
  const here = seats.some((s) => s?.kind === "person" && !s.connected && held.some((link) => link.side === s.side));
  const who = view.waiting.map((side, i) => seats[i]?.name || t(sideWord(side))).join(", ");
  return (
    <>
      <p className="waits">{t(computer ? "thinking" : "waitingFor", { who })}</p>
      {!computer && !here && view.side !== null && <TellMe />}
    </>
  );
}

/** Who waits for a person is asked, once, whether the browser shall tell when it is their turn. */
function TellMe() {
  const { t } = useText();
  const { noticesAsked, set } = useSettings();
  if (noticesAsked || !("Notification" in window) || Notification.permission !== "default") return null;
  return (
    <p className="help tell-me">
      {t("tellMe")} <button className="quiet" onClick={() => void askLeave()} data-tell-me>{t("yes")}</button>
      <button className="quiet" onClick={() => set({ noticesAsked: true })}>{t("no")}</button>
    </p>
  );
}

/** A question that follows on a throw shows it: the dice, what they were for and what they needed. */
function Thrown() {
  const { t, tx } = useText();
  const event = useTable((s) => s.log.at(-1));
  if (!event?.roll) return null;
  const { need } = event.roll;
  return (
    <div className="rolled-now">
      <Faces roll={event.roll} />
      <p>{sentence(tx(event.text))} {!!need && <em>{need > 0 ? t("need", { n: need }) : t("needLow", { n: -need })}</em>}</p>
    </div>
  );
}

function Outcome() {
  const { t } = useText();
  const view = useTable((s) => s.view)!;
  const { winner, score, rules } = view.outcome!;
  return (
    <div className="outcome">
      <h2 className={winner === null ? "" : `side${winner}`}>{winner === null ? t("draw") : t("won", { who: t(sideWord(winner)) })}</h2>
      <p>
        {score.join(" : ")} <Sign rules={rules} />
      </p>
      <FairDice />
    </div>
  );
}

/** What this browser could prove of the dice, now that the secret is open. */
function FairDice() {
  const { t } = useText();
  const view = useTable((s) => s.view);
  const found = diceVerdict(view);
  if (!found) return null;
  const word = !found.secret ? "diceSecretWrong" : found.luck === false ? "diceLuckWrong" : found.luck ? "diceFairMine" : "diceFair";
  return <p className={found.fair ? "legal" : "problem"} role="status">{found.fair ? "✓ " : "✗ "}{t(word)} <button className="quiet" onClick={() => ui.set({ sheet: "about" })}>{t("diceProof")}</button></p>;
}

/** The umpire's word: a stamp, the measured reason, the rule. */
export function Verdict({ ruling, onClose }: { ruling: Ruling; onClose?: () => void }) {
  const { t, tx } = useText();
  if (ruling.legal) return <p className="legal">✓ {t("legal")}</p>;
  return (
    <div className="refused" role="alert">
      <b className="stamp">{t("refused")}</b>
      <ul>
        {ruling.reasons.map((reason, i) => (
          <li key={i}>
            {sentence(tx(reason.text).replace(/\s*\[[\w.-]+\]$/, ""))}
            {reason.rule && (
              <button className="rule-id" onClick={() => ui.openRule(reason.rule)} title={t("openRule")}>§ {reason.rule}</button>
            )}
          </li>
        ))}
      </ul>
      {ruling.nearest !== null && ruling.nearest !== undefined && <p className="help">{t("nearestShown")}</p>}
      {onClose && <button className="quiet" onClick={onClose}>{t("close")}</button>}
    </div>
  );
}

const percent = (p: number) => `${(100 * p).toFixed(p > 0 && p < 0.1 ? 1 : 0)} %`;

export function OddsPanel({ odds, seenBy }: { odds: Odds | null; seenBy: string[] }) {
  const { t, tx } = useText();
  return (
    <div className="odds">
      <h3>{(odds && tx(odds.title)) || t("oddsTitle")}</h3>
      <dl>
        {odds?.lines.map((line, i) => (
          <div key={i}>
            <dt>{sentence(tx(line.label))}</dt>
            <dd>
              {typeof line.value === "string" ? line.value : line.chance ? percent(line.value) : Number(line.value.toFixed(2))}
              {line.chance && <i className="bar" style={{ width: `${Math.round(Number(line.value) * 100)}%` }} />}
            </dd>
          </div>
        ))}
        {seenBy.length > 0 && <SeenBy units={seenBy} />}
      </dl>
      {Object.entries(odds?.dists ?? {}).map(([name, dist]) => (
        <Histogram key={name} name={name} dist={dist} />
      ))}
    </div>
  );
}

const MOST_NAMED = 4;

/** Who would see what moves there. */
function SeenBy({ units }: { units: string[] }) {
  const { t, tx } = useText();
  const cards = useTable((s) => s.view)!.picture.cards;
  const names = units.slice(0, MOST_NAMED).map((id) => tx(cards.find((card) => card.id === id)?.name) || id);
  const more = units.length - names.length;
  return (
    <div className="seen-by">
      <dt>{t("seenBy")}</dt>
      <dd>{units.length ? `${units.length}${t("colon")}${names.join(t("comma"))}${more ? ` +${more}` : ""}` : t("seenByNobody")}</dd>
    </div>
  );
}

/** The chance of 0, 1, 2 and so on; under it, what is counted. */
function Histogram({ name, dist }: { name: string; dist: number[] }) {
  const { t } = useText();
  const what = counted(name);
  const most = Math.max(...dist, 0.0001);
  let last = dist.length - 1;
  while (last > 0 && dist[last]! < 0.002) last--;
  const shown = dist.slice(0, last + 1);
  let tail = 1;
  const atLeast = shown.map((p) => {
    const now = tail;
    tail -= p;
    return now;
  });
  return (
    <figure>
      <div className="histogram" role="img" aria-label={what ? t(what) : ""}>
        {shown.map((p, i) => (
          <span key={i} title={`${i}: ${percent(p)} · ${t("atLeast")} ${i}: ${percent(Math.max(0, atLeast[i]!))}`}>
            <i style={{ height: `${(p / most) * 100}%` }} />
            {(shown.length <= 12 || i % Math.ceil(shown.length / 12) === 0) && <small>{i}</small>}
          </span>
        ))}
      </div>
      {what && <figcaption>{t(what)}</figcaption>}
    </figure>
  );
}

function TakeBack() {
  const { t } = useText();
  const view = useTable((s) => s.view)!;
  const open = view.table.takeback;
  if (!open || view.side === null) return null;
  if (open.side === view.side) return <p className="help">{t("takebackWaits")}</p>;
  return (
    <div className="refused" role="alert">
      <p>{t("takebackAsked", { who: t(sideWord(open.side)) })}</p>
      <div className="row">
        <button className="brass" onClick={() => say.takeback(true)}>{t("agree")}</button>
        <button className="plain" onClick={() => say.takeback(false)}>{t("refuse")}</button>
      </div>
    </div>
  );
}
