import type { GroupReport } from "./group.ts";

/**
 * Returns the groups with flaky runs, worst first, because their failures mean little (EvalView's
 * quarantine). Flips caused by the infrastructure or a judge are included: they say nothing about the agent.
 */
export function quarantineOf(groups: readonly GroupReport[]): readonly GroupReport[] {
  const worse = (one: GroupReport, other: GroupReport): number =>
    (other.flakiness.score ?? 0) - (one.flakiness.score ?? 0) || (one.key < other.key ? -1 : 1);
  return groups.filter(({ flaky }) => flaky).toSorted(worse);
}
