import { type AttributeKey, declaredKeys, keyName } from "../model/attribute-key.ts";
import { ByteTable, hashBytes } from "./byte-table.ts";

/** Symbols below are keys that code declared (their ids); from here on, keys that only senders know. */
export const FIRST_DYNAMIC = 4096;
const LAST_SYMBOL = 65_535;
/** A longer key that nobody declared gets no symbol. */
const LONGEST_DYNAMIC = 96;
/** No symbol: the key stays in the body. */
export const NO_SYMBOL = -1;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

let declared = new ByteTable(256, 256);
let seeded = 0;
const dynamic = new ByteTable(1 << 17, 32);
const dynamicNames: string[] = [];
/** Symbols of dynamic keys that code declared later. */
const promoted = new Map<number, AttributeKey>();
const segmentsOf: (readonly string[])[] = [];

/** Takes up keys that were declared since the last call. Readers call it once a request, views when they begin. */
export function seedSymbols(): void {
  if (seeded !== declaredKeys()) seed();
}

function seed(): void {
  const count = declaredKeys();
  if (count > FIRST_DYNAMIC) throw new RangeError(`more than ${FIRST_DYNAMIC} attribute keys are declared`);
  let slots = 256;
  while (slots < count * 4) slots *= 2;
  declared = new ByteTable(slots, slots);
  for (let id = 0; id < count; id++) {
    const bytes = encoder.encode(keyName(id as AttributeKey));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const hash = hashBytes(view, 0, bytes.length);
    declared.add(view, 0, bytes.length, hash, id);
    const earlier = id >= seeded ? dynamic.find(view, 0, bytes.length, hash) : -1;
    if (earlier >= 0) promoted.set(earlier, id as AttributeKey);
  }
  seeded = count;
}

/** The symbol of a key of any length, made if there is room; `NO_SYMBOL` otherwise. */
export function internKey(view: DataView, offset: number, length: number): number {
  const hash = hashBytes(view, offset, length);
  const id = declared.find(view, offset, length, hash);
  if (id >= 0) return id;
  const symbol = dynamic.find(view, offset, length, hash);
  return symbol >= 0 ? symbol : addKey(view, offset, length, hash);
}

function addKey(view: DataView, offset: number, length: number, hash: number): number {
  const symbol = FIRST_DYNAMIC + dynamicNames.length;
  if (length > LONGEST_DYNAMIC || symbol > LAST_SYMBOL) return NO_SYMBOL;
  if (!dynamic.add(view, offset, length, hash, symbol)) return NO_SYMBOL;
  dynamicNames.push(decoder.decode(new Uint8Array(view.buffer, view.byteOffset + offset, length)));
  return symbol;
}

/** The symbol of a key given as text (a JSON key that was written with escapes). */
export function internName(name: string): number {
  const bytes = encoder.encode(name);
  return internKey(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0, bytes.length);
}

/** The declared key that a dynamic symbol stands for, because code declared it after the symbol was made; -1 for others. */
export function promotedKey(symbol: number): number {
  return promoted.size === 0 ? -1 : (promoted.get(symbol) ?? -1);
}

export function symbolName(symbol: number): string {
  if (symbol < FIRST_DYNAMIC) return keyName(symbol as AttributeKey);
  return dynamicNames[symbol - FIRST_DYNAMIC] ?? "";
}

/** The parts of a symbol's key between its dots; split once. */
export function symbolSegments(symbol: number): readonly string[] {
  return (segmentsOf[symbol] ??= symbolName(symbol).split("."));
}
