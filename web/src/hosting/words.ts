/** Words of the pages around the table (`words/LANGUAGE/hosting.json`): my tables, lobby, host, clocks, notices. */
import { type Arguments, speaker } from "../language";
import { useSettings } from "../settings";
import type words from "../words/en/hosting.json";

export type HostWord = keyof typeof words;

const say = speaker<HostWord>(import.meta.glob("../words/*/hosting.json", { eager: true, import: "default" }));

export function useWords() {
  const lang = useSettings((s) => s.lang);
  return (word: HostWord, args?: Arguments) => say(word, lang, args);
}
