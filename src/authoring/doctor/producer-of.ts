import type { Adapter } from "../../runs/adapter.ts";
import type { Producer } from "../../runs/producer.ts";

/** What adapters know of the instrumentation behind a scope; undefined for one that speaks none of their dialects. */
export function producerOf(
  adapters: readonly Adapter[],
  scope: string,
  dialects: readonly string[],
): Producer | undefined {
  let [best, longest]: [Producer | undefined, number] = [undefined, -1];
  for (const producer of adapters.flatMap(({ producers = [] }) => producers)) {
    const length = Math.max(...producer.scopes.map((pattern) => matchLength(pattern, scope)));
    if (length <= longest || !speaks(producer, dialects)) continue;
    [best, longest] = [producer, length];
  }
  return best;
}

function speaks({ dialects: wanted, besides = [] }: Producer, dialects: readonly string[]): boolean {
  if (besides.some((dialect) => dialects.includes(dialect))) return false;
  return wanted === undefined || wanted.some((dialect) => dialects.includes(dialect));
}

/** How much of the scope the pattern names; -1 when it does not match. */
function matchLength(pattern: string, scope: string): number {
  if (!pattern.endsWith("*")) return pattern === scope ? scope.length + 1 : -1;
  return scope.startsWith(pattern.slice(0, -1)) ? pattern.length - 1 : -1;
}
