import { type AttributeKey, declaredNames } from "../../model/telemetry/attribute-key.ts";
import { type KeyLayout, LAYOUT_CELLS } from "../../model/telemetry/key-layout.ts";
import { FIRST_DYNAMIC, promotedKey, seedSymbols } from "./attribute-symbols.ts";
import type { Batch } from "../rows/batch.ts";
import { ATTRIBUTE_WIDTH, ValueType } from "../rows/columns.ts";

/** Maximum number of attributes of a layout that is shared by sets with the same keys. */
const MOST_SHARED = 256;

/** The keys of an attribute set in order, with the index of each key. */
export class PlacedKeys implements KeyLayout {
  readonly cell: number;
  readonly keys: Int32Array;
  /** Symbols of the keys in order, by which another set with this layout is recognised; empty if the layout belongs to only one set. */
  readonly symbols: Int32Array;
  /** Number of declared keys at the time when the layout was created. */
  readonly declared = declaredNames.length;
  /** For each declared key, the index of its last attribute plus 1; 0 if there is none. */
  private readonly places: Uint16Array | Uint32Array;

  constructor(keys: Int32Array, cell: number, symbols: Int32Array) {
    this.cell = cell;
    this.keys = keys;
    this.symbols = symbols;
    this.places = keys.length < 65_535 ? new Uint16Array(this.declared) : new Uint32Array(this.declared);
    for (let place = 0; place < keys.length; place++) {
      const key = keys[place] as number;
      if (key >= 0) this.places[key] = place + 1;
    }
  }

  /** Returns the index of the last attribute with this key; -1 if there is none. */
  placeOf(key: AttributeKey): number {
    return (this.places[key] ?? 0) - 1;
  }
}

/** The latest layouts, one cell for each hash. A new layout replaces the one in its cell, so untrusted keys cannot make the table grow. */
const cells: (PlacedKeys | undefined)[] = Array.from({ length: LAYOUT_CELLS }, () => undefined);
const unshared = new Int32Array(0);

/** Returns the layout of the `count` attributes from `start` in a batch's rows. */
export function layoutOf(batch: Batch, start: number, count: number): PlacedKeys {
  seedSymbols();
  const { rows } = batch;
  const end = start + count * ATTRIBUTE_WIDTH;
  let hash = count;
  for (let at = start; at < end; at += ATTRIBUTE_WIDTH) {
    const head = rows[at] as number;
    if ((head & 255) === ValueType.pair) return own(batch, start, count);
    hash = Math.imul(hash ^ (head >>> 8), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  if (count > MOST_SHARED) return own(batch, start, count);
  const cell = hash & (LAYOUT_CELLS - 1);
  const known = cells[cell];
  if (known !== undefined && isLayout(known, rows, start, count)) return known;
  const symbols = new Int32Array(count);
  for (let place = 0; place < count; place++) {
    symbols[place] = (rows[start + place * ATTRIBUTE_WIDTH] as number) >>> 8;
  }
  return (cells[cell] = new PlacedKeys(symbols.map(declaredSymbol), cell, symbols));
}

function isLayout(layout: PlacedKeys, rows: Int32Array, start: number, count: number): boolean {
  const { symbols } = layout;
  if (symbols.length !== count || layout.declared !== declaredNames.length) return false;
  for (let place = 0, at = start; place < count; place++, at += ATTRIBUTE_WIDTH) {
    if (symbols[place] !== (rows[at] as number) >>> 8) return false;
  }
  return true;
}

function own(batch: Batch, start: number, count: number): PlacedKeys {
  const keys = new Int32Array(count);
  for (let place = 0; place < count; place++)
    keys[place] = declaredAt(batch, start + place * ATTRIBUTE_WIDTH);
  return new PlacedKeys(keys, -1, unshared);
}

function declaredSymbol(symbol: number): number {
  return symbol < FIRST_DYNAMIC ? symbol : promotedKey(symbol);
}

/** Returns the declared key of the attribute at `at`; -1 if its key is not declared. */
function declaredAt(batch: Batch, at: number): number {
  const head = batch.rows[at] as number;
  // A key without a symbol is not declared, because every declared key has a symbol. So the key need not be decoded.
  if ((head & 255) === ValueType.pair) return -1;
  return declaredSymbol(head >>> 8);
}
