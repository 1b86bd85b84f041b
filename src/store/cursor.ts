/** The number that a page's `next` stands for; undefined when it is none. */
export function numberOf(cursor: string): number | undefined {
  return /^[0-9a-z]{1,10}$/.test(cursor) ? Number.parseInt(cursor, 36) : undefined;
}
