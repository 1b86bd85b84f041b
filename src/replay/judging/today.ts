/** Returns today's date in UTC as `YYYY-MM-DD`. The date decides whether waivers have expired. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
