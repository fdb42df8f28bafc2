import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { LANGUAGES, firstLanguage, isWord, ownWord, say, speaker } from "../src/language";

const folder = new URL("../src/words/", import.meta.url);
const read = (lang: string, file: string): Record<string, string> => JSON.parse(readFileSync(new URL(`${lang}/${file}`, folder), "utf8"));
const files = readdirSync(new URL("en/", folder));
const places = (text: string) => [...text.matchAll(/\{(\w+)/g)].map((match) => match[1]).sort();

it("every language has every word, with the same places to fill", () => {
  expect(files).toEqual(["hosting.json", "lab.json", "table.json"]);
  expect(readdirSync(folder).sort()).toEqual([...LANGUAGES].sort());
  for (const file of files)
    for (const lang of LANGUAGES) {
      const [here, english] = [read(lang, file), read("en", file)];
      expect(Object.keys(here).sort(), `${lang}/${file}`).toEqual(Object.keys(english).sort());
      for (const [word, text] of Object.entries(here)) {
        expect(text, `${lang}/${file} ${word}`).not.toBe("");
        expect(new Set(places(text)), `${lang}/${file} ${word}`).toEqual(new Set(places(english[word]!)));
      }
    }
});

it("no sentence and no pair of languages stands in the code", () => {
  const pages = readdirSync(new URL("../src/", import.meta.url), { recursive: true, encoding: "utf8" }).filter((name) => /\.tsx?$/.test(name));
  const own = ["language.ts", "protocol.ts"];
  const found = pages.filter((name) => !own.includes(name)).flatMap((name) =>
    readFileSync(new URL(`../src/${name}`, import.meta.url), "utf8")
      .split("\n")
      .map((line, at) => [`${name}:${at + 1}`, line] as const)
      .filter(([, line]) => /["'`](zh|en)["'`]/.test(line)),
  );
  expect(found).toEqual([]);
});

it("a number has its word by the plural rules of the language", () => {
  expect(say("answersGiven", "en", { n: 1 })).toBe("1 decision so far");
  expect(say("answersGiven", "en", { n: 0 })).toBe("0 decisions so far");
  expect(say("answersGiven", "zh", { n: 1 })).toBe("已作 1 次决定");
  expect(say("luckSays", "en", { n: 1, want: "1.0", got: 0 })).toContain("1 die: 1.0 success expected");
});

it("a further language is a folder; what it lacks is said in English", () => {
  const told = speaker<"dice" | "stay">({
    "./words/en/x.json": { dice: "{n} {n#die|dice}", stay: "Stay" },
    "./words/fr/x.json": { dice: "{n} {n#dé|dés}" },
    "./words/ru/x.json": { dice: "{n} {n#кубик|кубика|кубиков|кубика}" },
  });
  const say = (lang: string, n: number) => told("dice", lang as "en", { n });
  expect([say("fr", 0), say("fr", 2), say("ru", 21), say("ru", 3), say("ru", 5)]).toEqual(["0 dé", "2 dés", "21 кубик", "3 кубика", "5 кубиков"]);
  expect(told("stay", "fr" as "en")).toBe("Stay");
});

it("a browser's language is spoken where there is one", () => {
  expect([firstLanguage("en-GB"), firstLanguage("zh-CN"), firstLanguage("xx")]).toEqual(["en", "zh", "zh"]);
  expect(LANGUAGES.map((lang) => ownWord(lang, "language"))).toEqual(["中", "EN"]);
  expect([isWord("dist_damage"), isWord("dist_nonsense")]).toEqual([true, false]);
});
