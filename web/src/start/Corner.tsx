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

export function LanguageSwitch({ lang, onSwitch }: { lang: "zh" | "en"; onSwitch: (lang: "zh" | "en") => void }) {
  return (
    <button className="quiet language" onClick={() => onSwitch(lang === "zh" ? "en" : "zh")} aria-label={lang === "zh" ? "Switch to English" : "切换到中文"}>
      <span lang="zh-Hans" className={lang === "zh" ? "on" : ""}>中</span>
      <span aria-hidden="true">/</span>
      <span className={lang === "en" ? "on" : ""}>EN</span>
    </button>
  );
}
