/** The table's own words (`words/LANGUAGE/table.json`); what a game says comes from the server. */
import { type Arguments, isWord, say } from "./language";
import type { Card, Lang, Rule, RuleHead, Text } from "./protocol";
import { useSettings } from "./settings";
import type words from "./words/en/table.json";

export type Word = keyof typeof words;

export function useText() {
  const lang = useSettings((s) => s.lang);
  return {
    lang,
    t: (word: Word, args?: Arguments) => say(word, lang, args),
    /** A text from the server; some names come as plain strings. */
    tx: (text: Text | string | null | undefined) => textIn(text, lang),
  };
}

export function textIn(text: Text | string | null | undefined, lang: Lang): string {
  return text == null ? "" : typeof text === "string" ? text : (text[lang] ?? text.en ?? ""); // zones of a scene may have no name
}

export const nameOfRule = (rule: RuleHead, lang: Lang): string => rule[lang] ?? rule.en;

/** What a rule says: English is its plain text. */
export const wordsOfRule = (rule: Rule, lang: Lang): string => (rule as unknown as Record<string, string | undefined>)[`text_${lang}`] ?? rule.text;

/** What stands beside a unit in the list; words that it always carries (runemarks, keywords, command models) stand on its card only. */
export const statuses = (card: Card | undefined): Text[] => (card?.tags ?? []).filter((tag) => /^(being|tag|status|mark)\./.test(tag.key ?? ""));

const LASTING = /^(being\.|tag\.(reserve|active)$)/;

/** What befalls it now: what stands beside it on the table. */
export const befalls = (card: Card | undefined): Text[] => statuses(card).filter((tag) => !LASTING.test(tag.key!));

/** A word as a tag: enough of it to tell it from others; the whole word comes when it is pointed at. */
export function short(word: string, lang: Lang): string {
  const bare = word.replace(new RegExp(say("statusLead", lang), "i"), "");
  return /\p{Script=Han}/u.test(bare) ? [...bare].slice(0, 2).join("") : bare.split(" ")[0]!.slice(0, 10);
}

export const sideWord = (side: number): Word => (side === 0 ? "sideA" : "sideB");

/** English words from the catalogue begin small, since most stand inside a sentence; here one begins. */
export const sentence = (text: string): string => text.trimStart().charAt(0).toUpperCase() + text.trimStart().slice(1);

/** What a distribution of outcomes counts. */
export const counted = (name: string): Word | null => (isWord(`dist_${name}`) ? (`dist_${name}` as Word) : null);

/** Inches as players write them: at most two decimals. */
export const inches = (value: number): string => `${Number(value.toFixed(2))}″`;
