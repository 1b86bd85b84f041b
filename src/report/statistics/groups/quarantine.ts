import type { GroupReport } from "./group.ts";

/**
 * Returns the groups whose runs have different outcomes, most flaky first. EvalView calls these groups a
 * quarantine. Groups whose outcomes differ because of a judge or the infrastructure are included.
 */
export function quarantineOf(groups: readonly GroupReport[]): readonly GroupReport[] {
  const worse = (one: GroupReport, other: GroupReport): number =>
    (other.flakiness.score ?? 0) - (one.flakiness.score ?? 0) || (one.key < other.key ? -1 : 1);
  return groups.filter(({ flaky }) => flaky).toSorted(worse);
}
