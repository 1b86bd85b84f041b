/** Header with the processes that forwarded a request, oldest first. */
export const HOP_HEADER = "tracejury-hops";
/** A request with this many hops is considered a loop. */
const MOST_HOPS = 8;

/** Whether a request with this header has passed this process before, or has too many hops. */
export function isLoop(hops: string | undefined, instance: string): boolean {
  const named = namesIn(hops);
  return named.length >= MOST_HOPS || named.includes(instance);
}

/** Returns the header to forward, with this process added. */
export function hopsWith(hops: string | undefined, instance: string): string {
  return [...namesIn(hops), instance].join(", ");
}

function namesIn(hops: string | undefined): string[] {
  const names = (hops ?? "").split(",").map((name) => name.trim());
  return names.filter((name) => /^[\w-]{1,64}$/.test(name));
}
