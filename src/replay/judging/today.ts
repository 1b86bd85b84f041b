/** Returns today's date in UTC as `YYYY-MM-DD`, to find expired waivers. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
