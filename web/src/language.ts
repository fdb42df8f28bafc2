/** Words of the page by language. A language is a folder of files beside `words/en` that map a word to its sentence; what
 *  one of its files lacks is said in English. */
import type { Lang } from "./protocol";

export type Arguments = Record<string, string | number>;
type Files = Record<string, Record<string, string>>;

const tables: Files = import.meta.glob("./words/*/table.json", { eager: true, import: "default" });

const languageOf = (path: string) => path.split("/").at(-2)!;

const WRITTEN = ["zh", "en"];

/** Chinese and English, which everything is written in, and whatever else has a folder. */
export const LANGUAGES = [...new Set([...WRITTEN, ...Object.keys(tables).map(languageOf)])] as Lang[];

export const firstLanguage = (wanted: string): Lang => LANGUAGES.find((lang) => wanted.startsWith(lang)) ?? LANGUAGES[0]!;

const FORMS = ["zero", "one", "two", "few", "many", "other"];

/** Which word goes with a number, by the plural rules of the CLDR: `{n#die|dice}`, as in the catalogue of the games. */
function form(forms: string[], value: string | number | undefined, tag: string): string {
  const rules = new Intl.PluralRules(tag);
  const known = FORMS.filter((one) => (rules.resolvedOptions().pluralCategories as string[]).includes(one));
  return forms[Math.min(known.indexOf(rules.select(Number(value))), forms.length - 1)]!;
}

/** Says words of some files, one for each language. */
export function speaker<Word extends string>(files: Files) {
  const byLanguage = Object.fromEntries(Object.entries(files).map(([path, words]) => [languageOf(path), words]));
  return (word: Word, lang: Lang, args: Arguments = {}): string =>
    (byLanguage[lang]?.[word] ?? byLanguage.en![word]!)
      .replace(/\{(\w+)#([^{}]*)\}/g, (_, name: string, forms: string) => form(forms.split("|"), args[name], lang))
      .replace(/\{(\w+)\}/g, (_, name: string) => String(args[name] ?? ""));
}

export const say = speaker<keyof typeof import("./words/en/table.json")>(tables);

export const isWord = (word: string): boolean => Object.values(tables).some((words) => word in words);

/** A language's own word for itself and the like, whatever language is spoken. */
export const ownWord = (lang: Lang, word: "language" | "languageTag" | "languageSwitch"): string => say(word, lang);
