/** SHA-256 of a text, as hexadecimal digits. `crypto.subtle` is missing on pages that came over plain HTTP from another machine. */

/** The first 32 bits behind the point; a double holds a small prime's root to many more. */
const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0;

const PRIMES: number[] = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((p) => n % p)) PRIMES.push(n);
const START = PRIMES.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
const ROUND = PRIMES.map((p) => fraction(Math.cbrt(p)));

const turn = (x: number, by: number) => (x >>> by) | (x << (32 - by));

export function sha256(text: string): string {
  const said = new TextEncoder().encode(text);
  const padded = new Uint8Array(Math.ceil((said.length + 9) / 64) * 64);
  padded.set(said);
  padded[said.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 8, Math.floor(said.length / 2 ** 29));
  words.setUint32(padded.length - 4, said.length << 3);
  let hash = START;
  const w = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) {
        w[i] = words.getInt32(block + 4 * i);
        continue;
      }
      const x = w[i - 15]!, y = w[i - 2]!;
      w[i] = w[i - 16]! + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + w[i - 7]! + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = hash as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; i++) {
      const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i]! + w[i]!;
      const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    hash = hash.map((x, i) => (x + [a, b, c, d, e, f, g, h][i]!) | 0);
  }
  return hash.map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
}
