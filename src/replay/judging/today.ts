/** The day it is in UTC, `YYYY-MM-DD`: what waivers are measured by. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
