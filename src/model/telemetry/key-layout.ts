/**
 * Keys of an attribute set in their order. Producers repeatedly write the same keys in the same order.
 * Attribute sets with equal keys share one layout, so facts about the keys are computed once.
 */
export interface KeyLayout {
  /**
   * Index under which facts about the layout can be cached; -1 for a layout that is not shared. A newer
   * layout may reuse the index, so a cache must also compare the layout.
   */
  readonly cell: number;
  /** `AttributeKey` of each attribute; -1 if its name is not declared. */
  readonly keys: ArrayLike<number>;
}

/** Number of layout cells; cells are numbered from 0. */
export const LAYOUT_CELLS = 4096;
