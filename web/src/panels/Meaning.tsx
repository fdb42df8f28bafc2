import { useEffect, useState } from "react";
import { api } from "../api";
import type { Card, Option, Rule } from "../protocol";
import { useDraft } from "../table/draft";
import { useTable } from "../table/store";
import { sentence, useText, wordsOfRule } from "../text";
import { isText } from "./UnitCard";

const fetched = new Map<string, Promise<Rule>>();

function ruleOf(id: string): Promise<Rule> {
  const known = fetched.get(id) ?? api.rule(id);
  fetched.set(id, known);
  known.catch(() => fetched.delete(id));
  return known;
}

/** What the focused choice means, where there are no odds to tell: as it stands on the unit's card, else as the book has it. */
export function Meaning() {
  const { tx, lang } = useText();
  const decision = useDraft((s) => s.decision);
  const focus = useDraft((s) => s.focus);
  const cards = useTable((s) => s.view!.picture.cards);
  const option = decision?.kind === "choose" || decision?.kind === "choose-several" ? decision.options[focus] : undefined;
  const own = option && (said(option.data?.text) ?? onCard(option, cards.filter((c) => c.id === decision!.about || option.refs?.includes(c.id))));
  const id = own === undefined ? (option?.rules?.[0] ?? null) : null;
  const [rule, setRule] = useState<Rule | null>(null);
  useEffect(() => {
    let here = true;
    setRule(null);
    if (id) ruleOf(id).then((found) => here && setRule(found), () => undefined);
    return () => {
      here = false;
    };
  }, [id]);
  const text = own !== undefined ? tx(own) : rule && wordsOfRule(rule, lang);
  return option && text ? (
    <p className="meaning">
      <b>{sentence(tx(option.label))}</b> {text}
    </p>
  ) : null;
}

const said = (text: unknown) => (isText(text) ? text : undefined);

/** What a card says of the ability that an option is named after; "name: unit" where several units have it. */
function onCard(option: Option, cards: Card[]) {
  const rule = cards.flatMap((card) => card.rules).find(({ name }) => isText(name) && option.label.en.split(":")[0] === name.en);
  return said(rule?.text);
}
