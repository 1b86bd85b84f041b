const words = new DataView(new ArrayBuffer(8));

/** A signed 64-bit integer as a number; rounded beyond 2^53. */
export function int64(low: number, high: number): number {
  return high * 4_294_967_296 + (low >>> 0);
}

/** A signed 64-bit integer as JSON: a number while that is exact, decimal digits beyond. */
export function int64Json(low: number, high: number): number | string {
  const value = int64(low, high);
  if (Number.isSafeInteger(value)) return value;
  words.setInt32(0, low, true);
  words.setInt32(4, high, true);
  return words.getBigInt64(0, true).toString();
}

export function double(low: number, high: number): number {
  words.setInt32(0, low, true);
  words.setInt32(4, high, true);
  return words.getFloat64(0, true);
}

/** JSON has no NaN and no infinities: they are written as OTLP/JSON does. */
export function doubleJson(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/;

/** The number a text wholly is; `undefined` for any other text. */
export function wholeNumber(text: string): number | undefined {
  if (text.length > 64 || !NUMBER.test(text)) return undefined;
  return finite(Number(text));
}

export function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
