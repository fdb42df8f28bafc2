/** The game-icons that content and games name, and only those: read from the Python tree when the table is built. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Plugin } from "vite";

const NAME = /\bicon["']?\s*[:=]\s*["']?([a-z0-9][a-z0-9-]+)/g;
const ALWAYS = ["chess-pawn", "flag-objective", "locked-chest", "dice-six-faces-five", "crossed-swords", "skull-crossed-bones"];

function* files(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* files(path);
    else if (/\.(ya?ml|py)$/.test(entry.name)) yield path;
  }
}

function named(roots: string[]): Set<string> {
  const found = new Set(ALWAYS);
  for (const root of roots)
    for (const path of files(root))
      for (const match of readFileSync(path, "utf8").matchAll(NAME)) found.add(match[1]!);
  return found;
}

export function gameIcons(roots: string[]): Plugin {
  const id = "virtual:icons";
  return {
    name: "game-icons",
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(source) {
      if (source !== `\0${id}`) return undefined;
      const set = createRequire(import.meta.url)("@iconify-json/game-icons/icons.json") as {
        icons: Record<string, { body: string }>;
        aliases?: Record<string, { parent: string }>;
      };
      const paths: Record<string, string> = {};
      const unknown: string[] = [];
      for (const name of [...named(roots)].sort()) {
        const icon = set.icons[name] ?? set.icons[set.aliases?.[name]?.parent ?? ""];
        const path = icon?.body.match(/ d="([^"]+)"/)?.[1];
        if (path) paths[name] = path;
        else unknown.push(name);
      }
      if (unknown.length) this.warn(`no such game-icons, drawn as pawns: ${unknown.join(", ")}`);
      return `export default ${JSON.stringify(paths)};`;
    },
  };
}
