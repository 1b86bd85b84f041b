import type { CompiledQuery, CompiledSpec } from "../spec/compiled.ts";
import { foldAgentName } from "./agent-name.ts";
import { hitOf, type Hit } from "./hit.ts";
import { normaliseText } from "./normalise.ts";
import { PatternIndex } from "./pattern-index.ts";
import { SimilarityIndex } from "./similarity-index.ts";

/** A spec's queries, found by what a run says without looking at each. */
export class SpecIndex {
  /** Folded; undefined when the spec is about any agent. */
  readonly agent: string | undefined;
  readonly wildcards: readonly Hit[];
  readonly patterns: PatternIndex;
  readonly similar: SimilarityIndex;
  private readonly ids: ReadonlyMap<string, CompiledQuery>;
  private readonly exact: ReadonlyMap<string, readonly Hit[]>;
  private readonly normalised: ReadonlyMap<string, readonly Hit[]>;

  constructor(spec: CompiledSpec) {
    const queries = spec.queries.filter((query) => query.scope === "run");
    const named = queries.filter((query) => query.text !== "*");
    this.agent = spec.agent === "*" ? undefined : foldAgentName(spec.agent);
    this.wildcards = queries.filter((query) => query.text === "*").map((query) => hitOf(query));
    this.ids = new Map(queries.map((query) => [query.id, query]));
    this.exact = grouped(named, (query) => query.text);
    this.normalised = grouped(named, (query) => normaliseText(query.text));
    this.patterns = new PatternIndex(queries);
    this.similar = new SimilarityIndex(named);
  }

  withId(id: string): CompiledQuery | undefined {
    return this.ids.get(id);
  }

  withText(text: string): readonly Hit[] {
    return this.exact.get(text) ?? none;
  }

  withNormalisedText(text: string): readonly Hit[] {
    return this.normalised.size === 0 ? none : (this.normalised.get(normaliseText(text)) ?? none);
  }
}

const none: readonly Hit[] = [];

function grouped(queries: readonly CompiledQuery[], keyOf: (query: CompiledQuery) => string) {
  const groups = new Map<string, Hit[]>();
  for (const query of queries) {
    const key = keyOf(query);
    const group = groups.get(key);
    if (group) group.push(hitOf(query));
    else groups.set(key, [hitOf(query)]);
  }
  return groups;
}
