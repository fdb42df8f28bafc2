import { useEffect, useState } from "react";
import { ApiError, api, seatPath } from "../api";
import type { Army, GameInfo, Level, NewSeat, Setting } from "../protocol";
import { createTable, HostOptions, type HostChoices } from "../hosting/HostOptions";
import { useWords } from "../hosting/words";
import { go } from "../route";
import { sentence, sideWord, useText } from "../text";

const LEVELS: Level[] = ["easy", "normal", "hard"];
const KINDS: NewSeat["kind"][] = ["person", "computer", "open"];

/** Armies are chosen here by their name in the library. */
type Sitting = NewSeat & { army?: string };

export function NewTableForm({ onBack }: { onBack: () => void }) {
  const { t, tx } = useText();
  const [games, setGames] = useState<GameInfo[]>([]);
  const [chosen, setChosen] = useState("");
  const [scenario, setScenario] = useState("random");
  const [seats, setSeats] = useState<Sitting[]>([
    { kind: "person", army: "random", level: "normal" },
    { kind: "computer", army: "random", level: "normal" },
  ]);
  const [options, setOptions] = useState<Record<string, unknown>>({});
  const [seed, setSeed] = useState("");
  const [typed, setTyped] = useState(false);
  const [guide, setGuide] = useState(false);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const [choices, setChoices] = useState<HostChoices>({});
  const w = useWords();

  useEffect(() => {
    api.games().then(
      (found) => {
        setGames(found);
        setChosen((now) => now || found[0]?.id || "");
      },
      (error: unknown) => setProblem(error instanceof ApiError ? tx(error.text) : String(error)),
    );
  }, []);

  const game = games.find((g) => g.id === chosen);
  const seatChange = (side: number, change: Partial<Sitting>) =>
    setSeats((now) => now.map((seat, i) => (i === side ? { ...seat, ...change } : seat)));

  const listOf = (id: string | undefined): Army | undefined => game?.library.armies?.find((army) => army.id === id);
  /** A list brings the options of a battle of its size. */
  function chooseArmy(side: number, id: string) {
    seatChange(side, { army: id });
    setOptions((now) => ({ ...now, ...listOf(id)?.options }));
  }
  const [a, b] = seats.map((seat) => listOf(seat.army));
  const differ = a?.options && b?.options && JSON.stringify(a.options) !== JSON.stringify(b.options);
  const readings = game?.library.options?.filter((option) => option.rule !== undefined) ?? [];
  const setting = (option: Setting) => (
    <label key={option.id}>
      <span>
        {tx(option.name)} {option.rule && <a href={`/rules/${option.rule}`} target="_blank" rel="noreferrer" aria-label={t("openRule")}>§</a>}
      </span>
      <select
        value={JSON.stringify(options[option.id] ?? option.default)}
        onChange={(e) => setOptions((now) => ({ ...now, [option.id]: JSON.parse(e.target.value) as unknown }))}
      >
        {option.default === null && <option value="null">{t("random")}</option>}
        {option.values.map((value) => {
          const id = typeof value === "object" ? value.id : value;
          return (
            <option key={String(id)} value={JSON.stringify(id)}>
              {typeof value === "object" ? sentence(tx(value.name)) : typeof value === "boolean" ? t(value ? "yes" : "no") : String(value)}
            </option>
          );
        })}
      </select>
      {option.text && <small>{tx(option.text)}</small>}
    </label>
  );

  async function create(event: React.FormEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem("");
    try {
      const own = Math.max(0, seats.findIndex((s) => s.kind === "person"));
      const created = await createTable({
        game: chosen,
        seats: seats.map((s) => ({ kind: s.kind, army: s.army, ...(s.kind === "computer" ? { level: s.level } : {}) })),
        ...(scenario === "random" ? {} : { scenario }),
        ...(seed.trim() ? { seed: Number(seed) } : {}),
        ...(Object.keys(options).length ? { options } : {}),
        ...(typed ? { dice: "typed" as const } : {}),
        guide,
        ...choices,
      }, w("password"));
      go(seatPath(created, own));
    } catch (error) {
      setProblem(t("failed") + (error instanceof ApiError ? tx(error.text) : String(error)));
      setBusy(false);
    }
  }

  return (
    <form className="leaf" onSubmit={create}>
      <h2>{t("newTable")}</h2>
      {problem && <p className="problem" role="alert">{problem}</p>}
      <fieldset className="games">
        <legend>{t("game")}</legend>
        {games.length === 0 && !problem && <span>{t("loading")}</span>}
        {games.map((g) => (
          <label key={g.id} className={g.id === chosen ? "pick on" : "pick"}>
            <input type="radio" name="game" checked={g.id === chosen} onChange={() => (setChosen(g.id), setScenario("random"), setOptions({}), setSeats((now) => now.map((s) => ({ ...s, army: "random" }))))} />
            {tx(g.names)}
          </label>
        ))}
      </fieldset>
      <div className="two">
        {seats.map((seat, side) => (
          <fieldset key={side} className={`seat side${side}`}>
            <legend>
              <i className={`swatch side${side}`} />
              {t(sideWord(side))}
            </legend>
            <label>
              {t("seat")}
              <select value={seat.kind} onChange={(e) => seatChange(side, { kind: e.target.value as NewSeat["kind"] })}>
                {KINDS.map((kind) => (
                  <option key={kind} value={kind}>{t(kind)}</option>
                ))}
              </select>
            </label>
            <label>
              {t("army")}
              <select value={seat.army} onChange={(e) => chooseArmy(side, e.target.value)}>
                <option value="random">{t("random")}</option>
                {game?.library.armies?.map((army) => (
                  <option key={army.id} value={army.id}>
                    {tx(army.name)}
                    {army.points ? ` · ${army.points} ${t("points")}` : ""}
                  </option>
                ))}
              </select>
            </label>
            {listOf(seat.army)?.units && (
              <details>
                <summary>{t("listOf")}</summary>
                <ul className="list">
                  {listOf(seat.army)!.units!.map((unit, i) => (
                    <li key={i}>{tx(unit.name)} <small>{unit.points}</small></li>
                  ))}
                </ul>
              </details>
            )}
            {seat.kind === "computer" && (
              <label>
                {t("level")}
                <select value={seat.level} onChange={(e) => seatChange(side, { level: e.target.value as Level })}>
                  {LEVELS.map((level) => (
                    <option key={level} value={level}>{t(level)}</option>
                  ))}
                </select>
              </label>
            )}
          </fieldset>
        ))}
      </div>
      <div className="two">
        <label>
          {t("scenario")}
          <select value={scenario} onChange={(e) => setScenario(e.target.value)}>
            <option value="random">{t("random")}</option>
            {game?.library.scenarios?.map((s) => (
              <option key={s.id} value={s.id}>{tx(s.name)}</option>
            ))}
          </select>
          <small>{tx(game?.library.scenarios?.find((s) => s.id === scenario)?.text)}</small>
        </label>
        <label>
          {t("seed")}
          <input inputMode="numeric" pattern="[0-9]*" maxLength={15} value={seed} onChange={(e) => setSeed(e.target.value)} />
        </label>
        <label>
          {t("diceWhose")}
          <select value={String(typed)} onChange={(e) => setTyped(e.target.value === "true")} name="dice">
            <option value="false">{t("diceServer")}</option>
            <option value="true">{t("diceTyped")}</option>
          </select>
        </label>
        {game?.library.options?.filter((option) => option.rule === undefined).map(setting)}
      </div>
      {readings.length > 0 && (
        <details>
          <summary>{t("advanced")}</summary>
          <p className="help">{t("advancedSays")}</p>
          <div className="two">{readings.map(setting)}</div>
        </details>
      )}
      <HostOptions open={seats.filter((s) => s.kind === "open").length === 1} onChange={setChoices} />
      <label className="check">
        <input type="checkbox" checked={guide} onChange={(e) => setGuide(e.target.checked)} />
        {t("guideOn")}
      </label>
      <div className="row end">
        <button type="button" className="plain" onClick={onBack}>{t("back")}</button>
        {differ && <span className="problem" role="alert">{t("sizesDiffer", { a: a.points ?? "?", b: b.points ?? "?" })}</span>}
        <button className="brass" disabled={busy || !game || !!differ}>{t("create")}</button>
      </div>
    </form>
  );
}
