/** Words of the rules lab (`words/LANGUAGE/lab.json`). */
import { type Arguments, speaker } from "../language";
import { useSettings } from "../settings";
import type words from "../words/en/lab.json";

export type LabWord = keyof typeof words;

const say = speaker<LabWord>(import.meta.glob("../words/*/lab.json", { eager: true, import: "default" }));

export function useLabWords() {
  const lang = useSettings((s) => s.lang);
  return (word: LabWord, args?: Arguments) => say(word, lang, args);
}
