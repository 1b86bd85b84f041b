const K = new Uint32Array(64);
const START = new Uint32Array(8);

/**
 * Computes the constants of SHA-256, as the standard defines them. Each round constant is the first 32 fraction bits of the cube root of
 * one of the first 64 primes. Each start value is the first 32 fraction bits of the square root of one of the first 8 primes.
 */
function fillConstants(): void {
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
  const fraction = (x: number): number => ((x - Math.floor(x)) * 2 ** 32) >>> 0;
  primes.forEach((p, i) => (K[i] = fraction(Math.cbrt(p))));
  primes.slice(0, 8).forEach((p, i) => (START[i] = fraction(Math.sqrt(p))));
}
fillConstants();

const rotate = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

function at(words: Uint32Array, i: number): number {
  return words[i] ?? 0;
}

function padded(bytes: Uint8Array): DataView {
  const size = (((bytes.length + 8) >> 6) + 1) << 6;
  const block = new Uint8Array(size);
  block.set(bytes);
  block[bytes.length] = 0x80;
  const view = new DataView(block.buffer);
  view.setUint32(size - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(size - 4, (bytes.length << 3) >>> 0);
  return view;
}

function schedule(w: Uint32Array, view: DataView, offset: number): void {
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const a = at(w, i - 15);
    const b = at(w, i - 2);
    const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3);
    const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10);
    w[i] = (at(w, i - 16) + s0 + at(w, i - 7) + s1) | 0;
  }
}

function compress(hash: Uint32Array, w: Uint32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(K, i) + at(w, i)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((x, i) => (hash[i] = (at(hash, i) + x) | 0));
}

/**
 * Returns the SHA-256 of a text's UTF-8 bytes, as 64 lower-case hex digits. The core uses this function, because the Web Crypto API is
 * asynchronous.
 */
export function sha256(text: string): string {
  const view = padded(new TextEncoder().encode(text));
  const hash = START.slice();
  const w = new Uint32Array(64);
  for (let offset = 0; offset < view.byteLength; offset += 64) {
    schedule(w, view, offset);
    compress(hash, w);
  }
  return [...hash].map((x) => x.toString(16).padStart(8, "0")).join("");
}
