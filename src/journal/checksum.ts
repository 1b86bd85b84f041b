import { crc32 } from "node:zlib";

const POLYNOMIAL = 0xedb88320;
/** The polynomial x^0, and x^1: the highest bit stands for the lowest power. */
const ONE = 0x80000000;
const X = 0x40000000;
/** Going over a shorter body again costs less than remembering. */
const REMEMBERED_FROM = 4096;

/** Of bodies that are written more than once: to the journal, and to the queue of each backend. */
const remembered = new WeakMap<Uint8Array, number>();

/** CRC-32 of `body`, begun with `start`: the CRC of what comes before it. A body that is asked about again is not gone over again. */
export function checksumAfter(start: number, body: Uint8Array): number {
  if (body.length < REMEMBERED_FROM) return crc32(body, start);
  let own = remembered.get(body);
  if (own === undefined) remembered.set(body, (own = crc32(body)));
  return combined(start, own, body.length);
}

/**
 * The CRC of two texts one after the other, from those of each: the first one's times x to the power of the second one's bits, modulo the
 * polynomial, and the second one's. Mark Adler's method, as in zlib's `crc32_combine`.
 */
function combined(first: number, second: number, secondBytes: number): number {
  let power = ONE;
  // Bits are eight times bytes, which the table begins with at x^8.
  for (let left = secondBytes, at = 3; left > 0; left = Math.floor(left / 2), at++)
    if (left % 2 === 1) power = product(squares[at & 31] ?? 0, power);
  return (product(power, first) ^ second) >>> 0;
}

function product(a: number, b: number): number {
  let sum = 0;
  let factor = b;
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) sum ^= factor;
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1;
  }
  return sum >>> 0;
}

/** x to the powers 1, 2, 4, 8 and so on, each the square of the one before. */
const squares: readonly number[] = (() => {
  const all = [X];
  for (let last = X; all.length < 32;) all.push((last = product(last, last)));
  return all;
})();
