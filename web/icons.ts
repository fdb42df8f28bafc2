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

interface IconSet {
  icons: Record<string, { body: string }>;
  aliases?: Record<string, { parent: string }>;
}

/** Each icon is a small file of its own, fetched when a table shows it; `virtual:icons` only says which there are. */
export function gameIcons(roots: string[]): Plugin {
  const id = "virtual:icons";
  const set = createRequire(import.meta.url)("@iconify-json/game-icons/icons.json") as IconSet;
  const drawn = new Map<string, string>();
  const unknown: string[] = [];
  for (const name of [...named(roots)].sort()) {
    const icon = set.icons[name] ?? set.icons[set.aliases?.[name]?.parent ?? ""];
    const path = icon?.body.match(/ d="([^"]+)"/)?.[1];
    if (path) drawn.set(name, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><path fill="#fff" d="${path}"/></svg>`);
    else unknown.push(name);
  }
  return {
    name: "game-icons",
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(source) {
      if (source !== `\0${id}`) return undefined;
      return `export default new Set(${JSON.stringify([...drawn.keys()])});`;
    },
    configureServer(server) {
      server.middlewares.use("/assets/icons/", (request, response, next) => {
        const svg = drawn.get(request.url?.match(/^\/?([\w-]+)\.svg$/)?.[1] ?? "");
        if (svg) response.setHeader("Content-Type", "image/svg+xml").end(svg);
        else next();
      });
    },
    generateBundle() {
      for (const [name, source] of drawn) this.emitFile({ type: "asset", fileName: `assets/icons/${name}.svg`, source });
      if (unknown.length) this.warn(`no such game-icons, drawn as pawns: ${unknown.join(", ")}`);
    },
  };
}
