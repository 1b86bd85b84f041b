import type { CompiledQuery } from "../../evaluate/query/compiled.ts";
import { hitOf, type Hit } from "../hit.ts";
import { normaliseText } from "../rules/normalise.ts";
import { PairIndex } from "./pair-index.ts";
import { Likeness, Wording } from "../rules/similarity.ts";

/** Longer texts are compared by their beginning. */
const longestCompared = 2000;

interface Entry {
  readonly query: CompiledQuery;
  readonly text: string;
  readonly least: number;
  /** Made when it is compared for the first time. */
  wording: Wording | undefined;
}

/** The queries that ask to be matched by likeness. */
export class SimilarityIndex {
  readonly #entries: readonly Entry[];
  readonly #index: PairIndex;

  constructor(queries: readonly CompiledQuery[]) {
    this.#entries = queries.flatMap((query) => {
      const least = query.match.similarity;
      if (least === undefined || query.text === "*") return [];
      return [{ query, text: compared(query.text), least, wording: undefined }];
    });
    this.#index = new PairIndex(this.#entries);
  }

  /** The queries at least as like the text as each of them asks for, in the order of the spec. */
  hits(text: string): readonly Hit[] {
    if (this.#entries.length === 0) return [];
    const hits: Hit[] = [];
    const own = compared(text);
    let asked: Likeness | undefined;
    for (const place of this.#index.candidates(own)) {
      const entry = this.#entries[place];
      if (entry === undefined) continue;
      asked ??= new Likeness(own);
      const wording = (entry.wording ??= new Wording(entry.text));
      if (wording.bound(asked.wording) < entry.least) continue;
      const score = asked.to(wording, entry.least);
      if (score >= entry.least) hits.push(hitOf(entry.query, undefined, score));
    }
    return hits;
  }
}

function compared(text: string): string {
  return normaliseText(text).slice(0, longestCompared);
}
