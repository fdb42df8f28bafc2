import { Fragment, useEffect, useState } from "react";
import { ApiError, api } from "../api";
import { LANGUAGES, ownWord } from "../language";
import type { Rule, RuleHead } from "../protocol";
import { nameOfRule, useText, wordsOfRule } from "../text";

/** Search the rule book; a rule shows both languages, its neighbours and what it refers to. */
export function RuleBrowser({ game, rule, onOpen }: { game: string; rule: string | null; onOpen: (rule: string | null) => void }) {
  const { t, tx, lang } = useText();
  const [words, setWords] = useState("");
  const [found, setFound] = useState<RuleHead[]>([]);
  const [problem, setProblem] = useState("");

  useEffect(() => {
    if (rule) return;
    const timer = setTimeout(() => {
      api.rules(game, words, lang).then(
        ({ rules }) => (setFound(rules), setProblem("")),
        (error: unknown) => setProblem(error instanceof ApiError ? tx(error.text) : String(error)),
      );
    }, 150);
    return () => clearTimeout(timer);
  }, [game, words, lang, rule]);

  if (rule) return <RulePage id={rule} onOpen={onOpen} />;
  return (
    <div className="rules">
      <input type="search" value={words} onChange={(e) => setWords(e.target.value)} placeholder={t("search")} aria-label={t("search")} />
      {problem && <p className="problem">{problem}</p>}
      {!problem && found.length === 0 && <p>{t("noRules")}</p>}
      <ul>
        {found.map((r) => (
          <li key={r.id}>
            <button className="quiet" onClick={() => onOpen(r.id)}>
              {nameOfRule(r, lang)}
              <small>{r.id}</small>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function RulePage({ id, onOpen }: { id: string; onOpen: (rule: string | null) => void }) {
  const { t, tx, lang } = useText();
  const [rule, setRule] = useState<Rule | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    setRule(null);
    setProblem("");
    let here = true;
    api.rule(id).then(
      (r) => here && setRule(r),
      (error: unknown) => here && setProblem(error instanceof ApiError ? tx(error.text) : String(error)),
    );
    return () => {
      here = false;
    };
  }, [id]);
  const others = LANGUAGES.filter((one) => one !== lang);
  const [before, after] = rule?.neighbours ?? [null, null];
  return (
    <article className="rule">
      <button className="quiet" onClick={() => onOpen(null)}>← {t("ruleBook")}</button>
      {problem && <p className="problem">{id}: {problem}</p>}
      {rule && (
        <>
          <h3>{nameOfRule(rule, lang)}</h3>
          <p className="id">
            <code>{rule.id}</code>
            {others.map((one) => <Fragment key={one}> · <span lang={ownWord(one, "languageTag")}>{nameOfRule(rule, one)}</span></Fragment>)}
            {" "}· {t("lines")} {rule.lines}
          </p>
          {[lang, ...others].map((one) => <p key={one} lang={ownWord(one, "languageTag")}>{wordsOfRule(rule, one)}</p>)}
          {rule.needs.length > 0 && (
            <p className="needs">
              {t("needs")}{" "}
              {rule.needs.map((need) => (
                <button key={need} className="rule-id" onClick={() => onOpen(need)}>§ {need}</button>
              ))}
            </p>
          )}
          <nav className="row">
            {before && <button className="plain" onClick={() => onOpen(before.id)}>‹ {nameOfRule(before, lang)}</button>}
            {after && <button className="plain" onClick={() => onOpen(after.id)}>{nameOfRule(after, lang)} ›</button>}
          </nav>
        </>
      )}
    </article>
  );
}
