import type { CompiledQuery } from "../evaluate/query/compiled.ts";

/** Captured texts of a run's query text, by variable or group name. */
export type Captures = ReadonlyMap<string, string>;

/** A query that matches a run, at one level: id, text, pattern, similarity or wildcard. */
export interface Hit {
  readonly query: CompiledQuery;
  /** Captured texts; empty unless the pattern matched. */
  readonly captures: Captures;
  /** Similarity of the texts from 0 to 1. 1 if the query matches by id, text, pattern or wildcard. */
  readonly score: number;
}

const nothing: Captures = new Map();

export function hitOf(query: CompiledQuery, captures: Captures = nothing, score = 1): Hit {
  return { query, captures, score };
}
