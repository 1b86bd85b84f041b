import type { CompiledQuery } from "../spec/compiled.ts";
import { normaliseText } from "./normalise.ts";
import { similarity, similarityBound } from "./similarity.ts";

/** Longer texts are compared by their beginning. */
const longestCompared = 2000;

export interface SimilarHit {
  readonly query: CompiledQuery;
  readonly score: number;
}

interface Entry {
  readonly query: CompiledQuery;
  readonly text: string;
  readonly least: number;
}

/** The queries that ask to be matched by likeness. */
export class SimilarityIndex {
  private readonly entries: readonly Entry[];

  constructor(queries: readonly CompiledQuery[]) {
    this.entries = queries.flatMap((query) => {
      const least = query.match.similarity;
      if (least === undefined || query.text === "*") return [];
      return [{ query, text: normaliseText(query.text).slice(0, longestCompared), least }];
    });
  }

  /** The queries at least as like the text as each of them asks for. */
  hits(text: string): readonly SimilarHit[] {
    if (this.entries.length === 0) return [];
    const asked = normaliseText(text).slice(0, longestCompared);
    const hits: SimilarHit[] = [];
    for (const { query, text: own, least } of this.entries) {
      if (similarityBound(own.length, asked.length) < least) continue;
      const score = similarity(own, asked);
      if (score >= least) hits.push({ query, score });
    }
    return hits;
  }
}
