/**
 * Keys of an attribute set, in order. Producers repeatedly write the same keys in the same order. Such attribute sets share one layout, so
 * that results which depend only on the keys are computed once.
 */
export interface KeyLayout {
  /**
   * Index under which results for the layout can be cached; -1 if the layout is not shared. A newer layout may reuse the index, so a cache
   * must also compare the layout object.
   */
  readonly cell: number;
  /** `AttributeKey` of each attribute; -1 if the name is not declared. */
  readonly keys: ArrayLike<number>;
}

/** Number of possible values of `KeyLayout.cell`, from 0. */
export const LAYOUT_CELLS = 4096;
