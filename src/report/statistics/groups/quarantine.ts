import type { GroupReport } from "./group.ts";

/**
 * Returns the groups with different outcomes, most flaky first (EvalView's quarantine).
 * Groups in which a judge or the infrastructure caused the differences are included.
 */
export function quarantineOf(groups: readonly GroupReport[]): readonly GroupReport[] {
  const worse = (one: GroupReport, other: GroupReport): number =>
    (other.flakiness.score ?? 0) - (one.flakiness.score ?? 0) || (one.key < other.key ? -1 : 1);
  return groups.filter(({ flaky }) => flaky).toSorted(worse);
}
