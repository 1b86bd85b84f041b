import { type AttributeKey, declaredNames } from "../../model/telemetry/attribute-key.ts";
import { BytePool, ByteTable, hashBytes, sameBytes } from "../bytes/byte-table.ts";

/**
 * First symbol of keys that occur only in received data. In rows, a number, its symbol, represents an attribute key. Symbols below 4096 are
 * the ids of declared keys.
 */
export const FIRST_DYNAMIC = 4096;
const LAST_SYMBOL = 65_535;
/** Maximum length in bytes of an undeclared key that gets a symbol. */
const LONGEST_DYNAMIC = 96;
/** Result for a key without a symbol. The text of such a key is read from the body. */
const NO_SYMBOL = -1;

const QUOTE = 34;
const BACKSLASH = 92;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const pool = new BytePool();
let declaredSlots = 1024;
let declared = new ByteTable(declaredSlots, declaredSlots, pool);
let seeded = 0;
const dynamic = new ByteTable(1 << 17, 32, pool);
const dynamicNames: string[] = [];
/** For each symbol of an undeclared key: the id that the key got if code declared it later; otherwise -1. */
const promoted = new Int32Array(LAST_SYMBOL + 1).fill(-1);
const segmentsOf: (readonly string[])[] = [];

/** Position and length of each symbol's key in the pool. */
const places = new Int32Array(LAST_SYMBOL + 1);
const lengths = new Int32Array(LAST_SYMBOL + 1).fill(-1);
/** For each symbol, the length of its key if JSON writes the key without escapes; otherwise -1. */
const plainLengths = new Int32Array(LAST_SYMBOL + 1).fill(-1);
/**
 * For each symbol, the symbol that followed it last time. The next key is first compared with the key of this symbol, because producers
 * usually write the keys of all spans in the same order.
 */
const followers = new Uint16Array(LAST_SYMBOL + 1);
let previous = 0;

/** Adds the keys that were declared since the last call. Called once for each request, and by each call of `layoutOf`. */
export function seedSymbols(): void {
  if (seeded !== declaredNames.length) seed();
}

function seed(): void {
  const count = declaredNames.length;
  if (count > FIRST_DYNAMIC) throw new RangeError(`more than ${FIRST_DYNAMIC} attribute keys are declared`);
  const first = growFor(count) ? 0 : seeded;
  seeded = count;
  for (let id = first; id < count; id++) declare(id as AttributeKey);
}

/**
 * If `count` keys would fill more than a quarter of the table of declared keys, replaces it by a larger, empty table. Returns whether the
 * table was replaced.
 */
function growFor(count: number): boolean {
  const enough = 2 ** Math.ceil(Math.log2(count * 4));
  if (enough <= declaredSlots) return false;
  declaredSlots = enough;
  declared = new ByteTable(declaredSlots, declaredSlots, pool);
  return true;
}

function declare(key: AttributeKey): void {
  const bytes = encoder.encode(declaredNames[key]);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const hash = hashBytes(view, 0, bytes.length);
  place(key, declared.add(view, 0, bytes.length, hash, key), bytes.length);
  const symbol = dynamic.find(view, 0, bytes.length, hash);
  if (symbol < 0) return;
  promoted[symbol] = key;
  lengths[symbol] = -1;
  plainLengths[symbol] = -1;
}

function place(symbol: number, at: number, length: number): void {
  places[symbol] = at;
  lengths[symbol] = length;
  plainLengths[symbol] = isPlain(at, length) ? length : -1;
}

function isPlain(at: number, length: number): boolean {
  for (let i = at; i < at + length; i++) {
    const byte = pool.view.getUint8(i);
    if (byte < 32 || byte === QUOTE || byte === BACKSLASH) return false;
  }
  return true;
}

/**
 * Returns the symbol of a key. A new key gets a symbol if it has at most `LONGEST_DYNAMIC` bytes and the table has room; otherwise the
 * result is `NO_SYMBOL`.
 */
export function internKey(view: DataView, offset: number, length: number): number {
  const predicted = followers[previous] as number;
  if (
    lengths[predicted] === length &&
    sameBytes(pool.view, places[predicted] as number, view, offset, length)
  ) {
    previous = predicted;
    return predicted;
  }
  const symbol = findKey(view, offset, length);
  if (symbol >= 0) {
    followers[previous] = symbol;
    previous = symbol;
  }
  return symbol;
}

/** Returns the symbol that is expected next, if its key and a quote are at `offset` of the JSON text; otherwise `NO_SYMBOL`. */
export function expectedKey(view: DataView, offset: number): number {
  const predicted = followers[previous] as number;
  const length = plainLengths[predicted] as number;
  const end = offset + length;
  if (length < 0 || end >= view.byteLength || view.getUint8(end) !== QUOTE) return NO_SYMBOL;
  if (!sameBytes(pool.view, places[predicted] as number, view, offset, length)) return NO_SYMBOL;
  previous = predicted;
  return predicted;
}

/** Returns the length of a symbol's key in bytes. */
export function keyLength(symbol: number): number {
  return lengths[symbol] as number;
}

function findKey(view: DataView, offset: number, length: number): number {
  const hash = hashBytes(view, offset, length);
  const id = declared.find(view, offset, length, hash);
  if (id >= 0) return id;
  const symbol = dynamic.find(view, offset, length, hash);
  return symbol >= 0 ? symbol : addKey(view, offset, length, hash);
}

function addKey(view: DataView, offset: number, length: number, hash: number): number {
  const symbol = FIRST_DYNAMIC + dynamicNames.length;
  if (length > LONGEST_DYNAMIC || symbol > LAST_SYMBOL) return NO_SYMBOL;
  const at = dynamic.add(view, offset, length, hash, symbol);
  if (at < 0) return NO_SYMBOL;
  place(symbol, at, length);
  dynamicNames.push(decoder.decode(new Uint8Array(view.buffer, view.byteOffset + offset, length)));
  return symbol;
}

/**
 * Returns the symbol of a JSON key that contains escapes.
 * @param name the decoded key
 */
export function internName(name: string): number {
  const bytes = encoder.encode(name);
  return internKey(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, bytes.length);
}

/** Returns the declared key of a symbol, if the key was declared after the symbol was created; otherwise -1. */
export function promotedKey(symbol: number): number {
  return promoted[symbol] as number;
}

export function symbolName(symbol: number): string {
  if (symbol < FIRST_DYNAMIC) return declaredNames[symbol] ?? "";
  return dynamicNames[symbol - FIRST_DYNAMIC] ?? "";
}

/** Returns the parts of a symbol's key between its dots. The result is cached. */
export function symbolSegments(symbol: number): readonly string[] {
  return (segmentsOf[symbol] ??= symbolName(symbol).split("."));
}
