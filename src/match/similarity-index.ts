import type { CompiledQuery } from "../spec/compiled.ts";
import { hitOf, type Hit } from "./hit.ts";
import { normaliseText } from "./normalise.ts";
import { Likeness, Wording } from "./similarity.ts";

/** Longer texts are compared by their beginning. */
const longestCompared = 2000;

interface Entry {
  readonly query: CompiledQuery;
  readonly wording: Wording;
  readonly least: number;
}

/** The queries that ask to be matched by likeness. */
export class SimilarityIndex {
  private readonly entries: readonly Entry[];

  constructor(queries: readonly CompiledQuery[]) {
    this.entries = queries.flatMap((query) => {
      const least = query.match.similarity;
      if (least === undefined || query.text === "*") return [];
      return [{ query, wording: new Wording(normaliseText(query.text).slice(0, longestCompared)), least }];
    });
  }

  /** The queries at least as like the text as each of them asks for. */
  hits(text: string): readonly Hit[] {
    if (this.entries.length === 0) return [];
    const asked = new Likeness(normaliseText(text).slice(0, longestCompared));
    const hits: Hit[] = [];
    for (const { query, wording, least } of this.entries) {
      if (wording.bound(asked.wording) < least) continue;
      const score = asked.to(wording);
      if (score >= least) hits.push(hitOf(query, undefined, score));
    }
    return hits;
  }
}
