/** Names the processes that sent a request on, oldest first. */
export const HOP_HEADER = "tracejury-hops";
/** A chain of so many is a loop, too, whatever is in it. */
const MOST_HOPS = 8;

/** Whether a request with this header has been here before, or has been handed round without end. */
export function isLoop(hops: string | undefined, instance: string): boolean {
  const named = namesIn(hops);
  return named.length >= MOST_HOPS || named.includes(instance);
}

/** The header to send on, with us in it. */
export function hopsWith(hops: string | undefined, instance: string): string {
  return [...namesIn(hops), instance].join(", ");
}

function namesIn(hops: string | undefined): string[] {
  const names = (hops ?? "").split(",").map((name) => name.trim());
  return names.filter((name) => /^[\w-]{1,64}$/.test(name));
}
