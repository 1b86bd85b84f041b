import type { GroupReport } from "./group.ts";

/**
 * The groups with flipping runs, whose failures mean little, worst first: EvalView's quarantine. A flip that the
 * infrastructure or a judge caused is one, too: it says nothing about the agent.
 */
export function quarantineOf(groups: readonly GroupReport[]): readonly GroupReport[] {
  const worse = (one: GroupReport, other: GroupReport): number =>
    (other.flakiness.score ?? 0) - (one.flakiness.score ?? 0) || (one.key < other.key ? -1 : 1);
  return groups.filter(({ flaky }) => flaky).toSorted(worse);
}
