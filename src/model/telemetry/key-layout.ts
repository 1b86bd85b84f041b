/**
 * Which keys a set of attributes has, in which order. Producers write the same keys in the same order time and again; sets that do
 * share one layout, so that what follows from the keys alone need be found out only once.
 */
export interface KeyLayout {
  /**
   * A small number by which to keep what was found out. A newer layout may take it over: a cache compares the layout
   * itself. -1 for a layout that is not shared.
   */
  readonly cell: number;
  /** For each attribute its key, as `AttributeKey`; -1 where no code has declared it. */
  readonly keys: ArrayLike<number>;
}

/** Cells are numbered below this. */
export const LAYOUT_CELLS = 4096;
