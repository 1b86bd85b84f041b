/**
 * Returns ProjectScylla's change-fail percentage or revert rate: failed (reverted) changes / all changes, from 0 to 1; 0 without changes.
 * Null if a number is unknown or negative, or `part` exceeds `total`.
 */
export function shareOfChanges(part: number | null, total: number | null): number | null {
  if (part === null || total === null || part < 0 || total < 0 || part > total) return null;
  return total === 0 ? 0 : part / total;
}
