import type { GroupReport } from "./group.ts";

/**
 * The groups whose runs flip and whose failures therefore say little, worst first: what EvalView's quarantine would hold. A flip that the
 * infrastructure or a judge caused is one, too: it says nothing about the agent.
 */
export function quarantineOf(groups: readonly GroupReport[]): readonly GroupReport[] {
  const worse = (one: GroupReport, other: GroupReport): number =>
    (other.flakiness.score ?? 0) - (one.flakiness.score ?? 0) || (one.key < other.key ? -1 : 1);
  return groups.filter(({ flaky }) => flaky).toSorted(worse);
}
