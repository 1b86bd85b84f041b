import type { CompiledQuery } from "../evaluate/query/compiled.ts";

/** Captured texts of a run's query, by variable or group name. */
export type Captures = ReadonlyMap<string, string>;

/** A query that matches a run at one of the matching levels. */
export interface Hit {
  readonly query: CompiledQuery;
  /** Captured texts; empty unless the query matched by its pattern. */
  readonly captures: Captures;
  /** Similarity score; 1 for other kinds of match. */
  readonly score: number;
}

const nothing: Captures = new Map();

export function hitOf(query: CompiledQuery, captures: Captures = nothing, score = 1): Hit {
  return { query, captures, score };
}
