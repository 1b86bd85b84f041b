/** Header that lists the processes that forwarded a request, oldest first. */
export const HOP_HEADER = "tracejury-hops";
/** A request that this many processes have forwarded is considered to be in a loop. */
const MOST_HOPS = 8;

/** Whether this process has already forwarded the request, or too many processes have. */
export function isLoop(hops: string | undefined, instance: string): boolean {
  const named = namesIn(hops);
  return named.length >= MOST_HOPS || named.includes(instance);
}

/** Returns the header for the forwarded request: this process is added at the end. */
export function hopsWith(hops: string | undefined, instance: string): string {
  return [...namesIn(hops), instance].join(", ");
}

function namesIn(hops: string | undefined): string[] {
  const names = (hops ?? "").split(",").map((name) => name.trim());
  return names.filter((name) => /^[\w-]{1,64}$/.test(name));
}
