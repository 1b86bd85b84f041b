/**
 * Returns ProjectScylla's change-fail percentage or revert rate: failed (or reverted) changes / all changes,
 * as a fraction; 0 if there were no changes. Null if a number is unknown or negative, or if `part` exceeds
 * `total`.
 */
export function shareOfChanges(part: number | null, total: number | null): number | null {
  if (part === null || total === null || part < 0 || total < 0 || part > total) return null;
  return total === 0 ? 0 : part / total;
}
