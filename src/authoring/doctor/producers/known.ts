import { conventions } from "./conventions.ts";
import { frameworks } from "./frameworks.ts";
import { openInference } from "./openinference.ts";
import { openLlmetry } from "./openllmetry.ts";
import { openTelemetry } from "./opentelemetry.ts";
import { platforms } from "./platforms.ts";
import type { Producer } from "./producer.ts";

/**
 * The instrumentations we know, the first that fits decides: the data behind `doctor` and, by hand, behind docs/agents. A new one is one
 * entry in a file beside this one and one page there.
 */
export const producers: readonly Producer[] = [
  ...openInference,
  ...openLlmetry,
  ...openTelemetry,
  ...platforms,
  ...frameworks,
  ...conventions,
];

/** What is known of the instrumentation behind a scope; undefined for one that speaks no dialect we know. */
export function producerOf(scope: string, dialects: readonly string[]): Producer | undefined {
  return producers.find(
    (producer) =>
      producer.scopes.some((pattern) => matches(pattern, scope)) &&
      (producer.dialects === undefined || producer.dialects.some((dialect) => dialects.includes(dialect))),
  );
}

function matches(pattern: string, scope: string): boolean {
  return pattern.endsWith("*") ? scope.startsWith(pattern.slice(0, -1)) : scope === pattern;
}
