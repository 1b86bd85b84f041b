/**
 * ProjectScylla's change-fail percentage and revert rate: failed (or reverted) changes over all changes, a fraction; 0 when
 * there were none. Null when a number is unknown or negative, or when `part` exceeds `total`.
 */
export function shareOfChanges(part: number | null, total: number | null): number | null {
  if (part === null || total === null || part < 0 || total < 0 || part > total) return null;
  return total === 0 ? 0 : part / total;
}
