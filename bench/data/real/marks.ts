/*
 * The texts and ids of a copy end with a mark: four fixed digits, and eight digits with the number of the copy. The digits are hexadecimal,
 * so that a UUID stays valid. The last four digits can be overwritten in an encoded body, so that the same body can be sent again as other
 * runs.
 */
const HEAD = "e0e1";
const pattern = /e0e1[0-9a-f]{8}/g;

export function markOf(copy: number): string {
  return HEAD + ((copy << 16) >>> 0).toString(16).padStart(8, "0");
}

/** Positions of the last four digits of each mark. */
export function markPlaces(body: Uint8Array): number[] {
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString("latin1");
  return Array.from(text.matchAll(pattern), ({ index }) => index + HEAD.length + 4);
}

/** Overwrites the last four digits of all marks in a body. */
export function renumberMarks(body: Uint8Array, places: readonly number[], round: number): void {
  const digits = Buffer.from((round & 0xffff).toString(16).padStart(4, "0"), "latin1");
  for (const place of places) body.set(digits, place);
}
