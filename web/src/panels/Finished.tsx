import { useState } from "react";
import { ApiError, api, seatHere, seatPath } from "../api";
import type { NewSeat, NewTable, Story, Turn, View } from "../protocol";
import { go } from "../route";
import { luck } from "../table/luck";
import { notify, useTable } from "../table/store";
import { sentence, sideWord, useText } from "../text";

/** After the end: what it cost, whom the dice loved, where it turned; keep the record, see it again, play again. */
export function Finished({ table, token }: { table: string; token: string }) {
  const { t } = useText();
  const over = useTable((s) => !s.showing && !!s.view?.outcome);
  const view = useTable((s) => s.view!);
  const { game, outcome, side, table: info } = view;
  const [seen, setSeen] = useState(false);
  if (!over || !outcome || seen) return null;
  /** What the server would not do is said where other news is. */
  const tried = (deed: () => Promise<void>) => () =>
    void deed().catch((error: unknown) => notify(error instanceof ApiError ? error.text : { zh: String(error), en: String(error) }));
  async function save() {
    const url = URL.createObjectURL(new Blob([await api.record(table, token)], { type: "text/plain" }));
    const link = Object.assign(document.createElement("a"), { href: url, download: `${game}-${table.slice(0, 8)}.record` });
    link.click();
    URL.revokeObjectURL(url);
  }
  async function again() {
    go(`/replay/${table}#${token}`);
  }
  /** The same armies on the same field with new dice, against the same computer or with the same friend; `changed`: each
   *  leads what the other led. */
  async function anew(changed: boolean) {
    const own = side ?? 0;
    const { setup } = JSON.parse((await api.record(table, token)).split("\n", 1)[0]!) as { setup: Partial<NewTable> & { sides?: (string | object)[] } };
    const { sides = [], scenario = null, options = {}, without = [] } = setup;
    const sits = (at: number): NewSeat => {
      const seat = info.seats.find((one) => one.side === at);
      if (at === own) return { kind: "person" };
      if (seat?.kind === "computer") return { kind: "computer", level: seat.level ?? "normal" };
      return { kind: seatHere(table, token, at) ? "person" : "open" };
    };
    const seats = [0, 1].map((at) => ({ ...sits(changed ? 1 - at : at), ...(sides[at] === undefined ? {} : { army: sides[at] }) }));
    go(seatPath(await api.create({ game, seats, scenario, options, without, guide: info.guide }), changed ? 1 - own : own));
  }
  const { winner } = outcome;
  const word = winner === null ? t("draw") : side === null ? t("won", { who: t(sideWord(winner)) }) : t(winner === side ? "youWon" : "youLost");
  return (
    <div className="finished" role="dialog" aria-label={t("over")}>
      <button className="quiet shut" onClick={() => setSeen(true)} aria-label={t("close")}>✕</button>
      <h2 className={winner === null ? "" : `side${winner}`}>
        {winner !== null && <i className={`swatch side${winner}`} />}
        {word}
        <small>{outcome.score.join(" : ")}</small>
      </h2>
      {outcome.key === "outcome.resigned" && winner !== null && <p>{t("resigned", { who: t(sideWord(1 - winner)) })}</p>}
      <Reckoning view={view} />
      <Turns table={table} token={token} />
      <button className="brass" onClick={tried(() => anew(false))} data-again>{t("playAgain")}</button>
      <button className="plain" onClick={tried(() => anew(true))} data-changed>{t("sidesChanged")}</button>
      <button className="plain" onClick={tried(again)} data-replay>{t("watchAgain")}</button>
      <button className="plain" onClick={tried(save)}>{t("saveRecord")}</button>
    </div>
  );
}

/** Losses and luck of both sides. */
function Reckoning({ view }: { view: View }) {
  const { t } = useText();
  const log = useTable((s) => s.log);
  return (
    <table>
      <thead>
        <tr>
          <th />
          <th>{t("unitsLost")}</th>
          <th>{t("luck")}</th>
        </tr>
      </thead>
      <tbody>
        {[0, 1].map((side) => {
          const cards = view.picture.cards.filter((card) => card.side === side);
          const { deviation, dice } = luck(log, side);
          return (
            <tr key={side}>
              <th scope="row"><i className={`swatch side${side}`} />{t(sideWord(side))}</th>
              <td>{cards.filter((card) => card.dead).length} / {cards.length}</td>
              <td>{dice ? t(deviation > 0.5 ? "lucky" : deviation < -0.5 ? "unlucky" : "fair") : "–"}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Whom a turn helped, and a side's chance to win in per cent. */
const gains = (turn: Turn): number => (turn.after > turn.before ? 0 : 1);
const share = (chance: number, side: number): number => Math.round(100 * (side ? 1 - chance : chance));

/** The chance to win over the whole battle: the first side's below the line, the other's above it. */
function Course({ chances, turns }: { chances: number[]; turns: Turn[] }) {
  const { t } = useText();
  const last = Math.max(1, chances.length - 1);
  const at = (n: number) => `${((300 * n) / last).toFixed(1)},${(60 * (1 - chances[n]!)).toFixed(1)}`;
  const line = chances.map((_, n) => at(n)).join(" ");
  return (
    <svg className="course" viewBox="0 0 300 60" preserveAspectRatio="none" role="img" aria-label={t("course")}>
      <polygon className="side1" points={`0,0 ${line} 300,0`} />
      <polygon className="side0" points={`0,60 ${line} 300,60`} />
      {turns.map((turn) => <line key={turn.at} x1={(300 * turn.at) / last} x2={(300 * turn.at) / last} y1={0} y2={60} />)}
    </svg>
  );
}

/** Where the chance to win moved most, each a way into the replay. */
function Turns({ table, token }: { table: string; token: string }) {
  const { t, tx } = useText();
  const [found, setFound] = useState<{ replay: string; story: Story } | "busy" | null>(null);
  async function look() {
    setFound("busy");
    try {
      const { replay } = await api.replayOf(table, token);
      setFound({ replay, story: await api.story(replay) });
    } catch (error) {
      setFound(null);
      notify(error instanceof ApiError ? error.text : { zh: String(error), en: String(error) });
    }
  }
  if (found === null) return <button className="plain turns" onClick={() => void look()}>{t("turns")}</button>;
  if (found === "busy") return <p className="help">{t("checking")}</p>;
  return (
    <>
      {found.story.chances.length > 1 && <Course chances={found.story.chances} turns={found.story.turns} />}
      <ol className="turns">
        {found.story.turns.map((turn) => (
          <li key={turn.at}>
            <a href={`/replay/${found.replay}#${turn.at}`} onClick={(e) => (e.preventDefault(), go(`/replay/${found.replay}#${turn.at}`))}>
              <i className={`swatch side${gains(turn)}`} /> {t("turnFor", { who: t(sideWord(gains(turn))), before: share(turn.before, gains(turn)), after: share(turn.after, gains(turn)) })}
            </a>
            {turn.text && <span> {sentence(tx(turn.text))}</span>}
          </li>
        ))}
        {found.story.turns.length === 0 && <li>{t("noTurns")}</li>}
      </ol>
    </>
  );
}
