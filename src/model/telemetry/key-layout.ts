/**
 * Keys of an attribute set, in order. Producers repeatedly write the same keys in the same order. Attribute
 * sets with the same keys in the same order share one layout, so that what depends only on the keys is
 * computed once.
 */
export interface KeyLayout {
  /**
   * Index under which data about the layout can be cached; -1 if the layout is not shared. A newer layout may
   * reuse the index, so a cache must also compare the layout object.
   */
  readonly cell: number;
  /** `AttributeKey` of each attribute; -1 if the name is not declared. */
  readonly keys: ArrayLike<number>;
}

/** Number of values of `KeyLayout.cell`, which are numbered from 0. */
export const LAYOUT_CELLS = 4096;
