/** Returns today's UTC date as `YYYY-MM-DD`, which decides whether waivers have expired. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
