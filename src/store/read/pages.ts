/** So many rows are looked at for one page of a search for text: it must not delay everything else. */
const LOOKED_THROUGH = 50_000;

/** The lowest number that a search looks at for one page, below the number where the page begins. */
export function floorOf(below: number, text: string | undefined): number {
  return text === undefined ? 0 : below - LOOKED_THROUGH;
}

/** The number that a page's `next` stands for; undefined when it is none. */
export function numberOf(cursor: string): number | undefined {
  return /^[0-9a-z]{1,10}$/.test(cursor) ? Number.parseInt(cursor, 36) : undefined;
}

export function cursorAt(number: unknown): string {
  return Number(number).toString(36);
}
