import { LANGUAGES } from "../language";
import type { Card, Change, Fact, Text, Value } from "../protocol";
import { sentence, useText } from "../text";
import { Icon } from "./Icon";
import { Sign } from "./Sign";

export const isText = (value: unknown): value is Text => typeof value === "object" && value !== null && LANGUAGES.every((lang) => lang in value);

export function useShow() {
  const { tx } = useText();
  const show = (value: unknown): string => {
    if (value === null || value === undefined) return "–";
    if (isText(value)) return tx(value);
    if (Array.isArray(value)) return value.map(show).join(", ");
    if (typeof value === "number") return String(Number(value.toFixed(2)));
    if (typeof value === "object") return Object.values(value).map(show).join(" ");
    return String(value);
  };
  return show;
}

/** What a player reads on a unit's card: values now and before, weapons, rules. */
export function UnitCard({ card, onClose }: { card: Card; onClose: () => void }) {
  const { t, tx } = useText();
  const show = useShow();
  return (
    <article className={`unitcard side${card.side}`}>
      <header>
        <Icon name={card.icon} />
        <h3>{tx(card.name)}</h3>
        <button className="quiet" onClick={onClose} aria-label={t("close")}>✕</button>
      </header>
      {card.tags.length > 0 && (
        <span className="tags">
          {card.tags.map((tag, i) => (
            <i key={i}>{sentence(tx(tag))}</i>
          ))}
        </span>
      )}
      <div className="values">
        {card.values.map((value, i) => (
          <ValueCell key={i} value={value} />
        ))}
      </div>
      {card.weapons.length > 0 && <Weapons weapons={card.weapons} />}
      {card.rules.length > 0 && (
        <>
          <h4>{t("abilities")}</h4>
          <ul className="abilities">
            {card.rules.map((rule, i) => {
              const { name, text, rule: id, rules, id: key, facts } = rule;
              const ids = [id, ...(Array.isArray(rules) ? rules : [])].filter((x): x is string => typeof x === "string");
              return (
                <li key={i}>
                  <b>{show(name ?? key)}</b> <Sign rules={ids} />
                  {text !== undefined && <p>{show(text)}</p>}
                  {Array.isArray(facts) && facts.length > 0 && <p>{(facts as Fact[]).map((fact) => `${tx(fact.name)} ${show(fact.value)}`).join(" · ")}</p>}
                </li>
              );
            })}
          </ul>
        </>
      )}
    </article>
  );
}

function ValueCell({ value }: { value: Value }) {
  const { t, tx } = useText();
  const show = useShow();
  const changed = show(value.base) !== show(value.now);
  return (
    <div className={changed ? "value changed" : "value"}>
      <small>{tx(value.name)}</small>
      <b>{show(value.now)}</b>
      {(changed || value.changes.length > 0) && (
        <ul>
          <li>{t("base")} {show(value.base)}</li>
          {value.changes.map((change, i) => (
            <ChangeLine key={i} change={change} />
          ))}
        </ul>
      )}
    </div>
  );
}

const SIGNS: Record<string, (v: number) => string> = {
  add: (v) => (v < 0 ? `${v}` : `+${v}`),
  set: (v) => `=${v}`,
  multiply: (v) => `×${v}`,
  minimum: (v) => `≥${v}`,
  cap: (v) => `≤${v}`,
};

function ChangeLine({ change }: { change: Change }) {
  const { tx } = useText();
  return (
    <li>
      {SIGNS[change.op]?.(change.value) ?? change.value} {tx(change.source)} <Sign rules={change.rule ? [change.rule] : []} />
    </li>
  );
}

function Weapons({ weapons }: { weapons: Card["weapons"] }) {
  const { t, tx } = useText();
  const show = useShow();
  return (
    <>
      <h4>{t("weapons")}</h4>
      <ul className="weapons">
        {weapons.map((weapon, i) => (
          <li key={i}>
            <b>{tx(weapon.name)}</b>
            <dl>
              {weapon.facts.map((fact, k) => (
                <div key={k}>
                  <dt>{tx(fact.name)}</dt>
                  <dd>{show(fact.value)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </>
  );
}
