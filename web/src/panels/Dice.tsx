import type { GameEvent, Roll } from "../protocol";
import { isSuccess } from "../table/luck";
import { isMoving } from "../table/moving";
import { question, useTable } from "../table/store";
import { sentence, useText } from "../text";
import { Sign } from "./Sign";

const PIPS: Record<number, [number, number][]> = {
  1: [[1, 1]],
  2: [[0, 0], [2, 2]],
  3: [[0, 0], [1, 1], [2, 2]],
  4: [[0, 0], [0, 2], [2, 0], [2, 2]],
  5: [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]],
  6: [[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2]],
};

export function Die({ face, sides = 6, state = "", small = false }: { face: number; sides?: number; state?: string; small?: boolean }) {
  const pips = sides <= 6 ? PIPS[face] : undefined;
  return (
    <svg className={`die ${state} ${small ? "small" : ""}`} viewBox="0 0 40 40" role="img" aria-label={String(face)}>
      <rect x="2" y="2" width="36" height="36" rx="8" />
      {pips ? pips.map(([x, y], i) => <circle key={i} cx={10 + x * 10} cy={10 + y * 10} r="3.6" />) : <text x="20" y="27" textAnchor="middle">{face}</text>}
    </svg>
  );
}

export function Faces({ roll, small = false }: { roll: Roll; small?: boolean }) {
  const { t } = useText();
  return (
    <span className={`faces side${roll.side ?? "n"}`}>
      {roll.faces.map((face, i) => (
        <span key={i} className="thrown">
          {!!roll.first?.[i] && (
            <span className="was" title={t("rerolled")}>
              <Die face={roll.first[i]} sides={roll.sides} state="old" small={small} />
            </span>
          )}
          <Die face={face} sides={roll.sides} state={roll.need ? (isSuccess(face, roll) ? "good" : "miss") : ""} small={small} />
        </span>
      ))}
      {roll.mods?.map(([amount], i) => (
        <span key={i} className="mod">{amount > 0 ? `+${amount}` : amount}</span>
      ))}
    </span>
  );
}

/** The last throw, large, with what it was for and what it needed. */
export function DiceTray() {
  const { t, tx } = useText();
  const event = useTable((s) => s.roll);
  const showing = useTable((s) => s.showing);
  const moving = useTable((s) => isMoving(question(s)));
  if (!event?.roll) return null;
  const { roll } = event;
  return (
    <div className={showing ? "tray tumble" : moving ? "tray past" : "tray"} key={event.n} aria-live="polite">
      <Faces roll={roll} />
      <p>
        {sentence(tx(event.text))} {!!roll.need && <em>{roll.need > 0 ? t("need", { n: roll.need }) : t("needLow", { n: -roll.need })}</em>}
        <Total event={event} />
        <Sign rules={event.rules} />
      </p>
    </div>
  );
}

function Total({ event: { roll } }: { event: GameEvent }) {
  if (!roll?.mods?.length) return null;
  const natural = roll.faces.reduce((a, b) => a + b, 0);
  return <em>= {roll.mods.reduce((sum, [amount]) => sum + amount, natural)}</em>;
}
