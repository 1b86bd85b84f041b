const words = new DataView(new ArrayBuffer(8));

/** Converts a signed 64-bit integer into a number. Above 2^53, the number is rounded. */
export function int64(low: number, high: number): number {
  return high * 4_294_967_296 + (low >>> 0);
}

/** Converts a signed 64-bit integer into JSON: into a number if the number is exact, otherwise into decimal digits as text. */
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

/** Converts a double into JSON. NaN and infinities become text, as in OTLP/JSON. */
export function doubleJson(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

const NUMBER = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*$/;

/** Returns the number if the complete text is a number; otherwise `undefined`. */
export function wholeNumber(text: string): number | undefined {
  if (text.length > 64 || !NUMBER.test(text)) return undefined;
  return finite(Number(text));
}

export function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
