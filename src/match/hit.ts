import type { CompiledQuery } from "../evaluate/query/compiled.ts";

/** Captured texts of a run's query, by variable or group name. */
export type Captures = ReadonlyMap<string, string>;

/** A query that claims a run on one of the levels. */
export interface Hit {
  readonly query: CompiledQuery;
  /** Empty but for patterns. */
  readonly captures: Captures;
  /** 1 but for similarity. */
  readonly score: number;
}

const nothing: Captures = new Map();

export function hitOf(query: CompiledQuery, captures: Captures = nothing, score = 1): Hit {
  return { query, captures, score };
}
