/**
 * Keys of an attribute set in their order. Producers write the same keys in the same order repeatedly.
 * Attribute sets with the same keys share one layout, so that derived facts about keys are computed only
 * once.
 */
export interface KeyLayout {
  /**
   * A small number under which derived facts can be cached. A newer layout may reuse the number, so a cache
   * must compare the layout. -1 for a layout that is not shared.
   */
  readonly cell: number;
  /** `AttributeKey` of each attribute; -1 if its name is not declared. */
  readonly keys: ArrayLike<number>;
}

/** Number of layout cells; cells are numbered from 0. */
export const LAYOUT_CELLS = 4096;
