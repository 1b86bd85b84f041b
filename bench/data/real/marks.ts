/*
 * A copy's texts and ids end in a mark: four fixed digits, and eight that say which copy it is. All are hexadecimal, so that a UUID stays one, and
 * the last four can be overwritten in an encoded body without changing its length: a body that is sent again holds other runs.
 */
const HEAD = "e0e1";
const pattern = /e0e1[0-9a-f]{8}/g;

export function markOf(copy: number): string {
  return HEAD + ((copy << 16) >>> 0).toString(16).padStart(8, "0");
}

/** The text without marks. */
export function withoutMarks(text: string): string {
  return text.replaceAll(pattern, "");
}

/** Positions of the four digits of each mark that may be overwritten. */
export function markPlaces(body: Uint8Array): number[] {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString("latin1");
  return Array.from(text.matchAll(pattern), ({ index }) => index + HEAD.length + 4);
}

/** Overwrites these digits in all marks of a body. */
export function renumberMarks(body: Uint8Array, places: readonly number[], round: number): void {
  const digits = Buffer.from((round & 0xffff).toString(16).padStart(4, "0"), "latin1");
  for (const place of places) body.set(digits, place);
}
