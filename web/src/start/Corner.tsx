import { Fragment } from "react";
import { LANGUAGES, ownWord } from "../language";
import type { Lang } from "../protocol";
import { useSettings } from "../settings";
import { useText } from "../text";

/** Language and theme, in the corner of every page. */
export function Corner({ children }: { children?: React.ReactNode }) {
  const { t, lang } = useText();
  const { theme, set } = useSettings();
  return (
    <div className="corner">
      {children}
      <a className="quiet" href="/rules">{t("ruleBook")}</a>
      <button className="quiet" onClick={() => set({ theme: theme === "dark" ? "light" : "dark" })} aria-pressed={theme === "dark"} aria-label={t("dark")} title={t("dark")}>
        {theme === "dark" ? "☾" : "☼"}
      </button>
      <LanguageSwitch lang={lang} onSwitch={(next) => set({ lang: next })} />
    </div>
  );
}

/** The languages by their own names; a click speaks the next. */
export function LanguageSwitch({ lang, onSwitch }: { lang: Lang; onSwitch: (lang: Lang) => void }) {
  const next = LANGUAGES[(LANGUAGES.indexOf(lang) + 1) % LANGUAGES.length]!;
  return (
    <button className="quiet language" onClick={() => onSwitch(next)} aria-label={ownWord(next, "languageSwitch")}>
      {LANGUAGES.map((one, i) => (
        <Fragment key={one}>
          {i > 0 && <span aria-hidden="true">/</span>}
          <span lang={ownWord(one, "languageTag")} className={one === lang ? "on" : ""}>{ownWord(one, "language")}</span>
        </Fragment>
      ))}
    </button>
  );
}
