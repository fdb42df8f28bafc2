/** Beside each built text its packed forms, so that the server need not pack while somebody waits. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** A file that fits a packet gains nothing. */
const WORTH = 1400;

export function packed(): Plugin {
  return {
    name: "packed",
    apply: "build",
    writeBundle({ dir }, bundle) {
      for (const [name, file] of Object.entries(bundle)) {
        const text = Buffer.from(file.type === "chunk" ? file.code : file.source);
        if (!/\.(js|css|svg)$/.test(name) || text.length < WORTH) continue;
        writeFileSync(join(dir!, `${name}.br`), brotliCompressSync(text));
        writeFileSync(join(dir!, `${name}.gz`), gzipSync(text, { level: 9 }));
      }
    },
  };
}
