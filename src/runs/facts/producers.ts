import type { Adapter } from "../../../adapters/adapter-type.ts";
import type { Producer } from "../../../adapters/producer-type.ts";
import type { RecordingSetting } from "../../model/run.ts";
import type { SpanFacts } from "./span-facts.ts";

/** Settings of the instrumentations that wrote the spans, in the order of their first spans. */
export function settingsOf(nodes: readonly SpanFacts[]): readonly RecordingSetting[] {
  const dialectsByScope = new Map<string, Set<string>>();
  let adapters: readonly Adapter[] = [];
  for (const { span, dialects, plan } of nodes) {
    adapters = plan.table.adapters;
    const known = dialectsByScope.get(span.scopeName) ?? new Set();
    for (const { dialect } of dialects.adapters) known.add(dialect);
    dialectsByScope.set(span.scopeName, known);
  }
  const producers = [...dialectsByScope].map(([scope, known]) => producerOf(adapters, scope, [...known]));
  return [...new Set(producers)].flatMap((producer) => producer?.switches ?? []);
}

/**
 * Returns the adapters' description of the instrumentation with this scope, or undefined if no adapter has
 * one.
 */
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

/** Returns the number of characters of the scope that the pattern matches, plus one for a pattern without `*`; -1 if it does not match. */
function matchLength(pattern: string, scope: string): number {
  if (!pattern.endsWith("*")) return pattern === scope ? scope.length + 1 : -1;
  return scope.startsWith(pattern.slice(0, -1)) ? pattern.length - 1 : -1;
}
