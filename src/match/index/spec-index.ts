import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import { foldAgentName } from "../rules/agent-name.ts";
import { hitOf, type Hit } from "../hit.ts";
import { normaliseText } from "../rules/normalise.ts";
import { PatternIndex } from "./pattern-index.ts";
import { SimilarityIndex } from "./similarity-index.ts";

/**
 * Index of a spec's queries about runs, or of its queries about conversations. Finds the candidates for a run without examining all
 * queries.
 */
export class SpecIndex {
  readonly size: number;
  /** Folded agent name; undefined if the spec applies to any agent. */
  readonly agent: string | undefined;
  readonly wildcards: readonly Hit[];
  readonly patterns: PatternIndex;
  readonly similar: SimilarityIndex;
  private readonly ids: ReadonlyMap<string, CompiledQuery>;
  private readonly exact: ReadonlyMap<string, readonly Hit[]>;
  private readonly normalised: ReadonlyMap<string, readonly Hit[]>;

  constructor(spec: CompiledSpec, scope: CompiledQuery["scope"]) {
    const queries = spec.queries.filter((query) => query.scope === scope);
    const named = queries.filter((query) => query.text !== "*");
    this.size = queries.length;
    this.agent = spec.agent === "*" ? undefined : foldAgentName(spec.agent);
    this.wildcards = queries.filter((query) => query.text === "*").map((query) => hitOf(query));
    this.ids = new Map(queries.map((query) => [query.id, query]));
    this.exact = grouped(named, openings);
    this.normalised = grouped(named, (query) => openings(query).map(normaliseText));
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

/** Returns the texts that identify a query in a run: the query's text and the text of its first turn. */
function openings({ text, turns }: CompiledQuery): readonly string[] {
  const first = turns[0]?.text ?? "*";
  return first === "*" ? [text] : [text, first];
}

function grouped(queries: readonly CompiledQuery[], keysOf: (query: CompiledQuery) => readonly string[]) {
  const groups = new Map<string, Hit[]>();
  for (const query of queries) {
    for (const key of new Set(keysOf(query))) {
      const group = groups.get(key);
      if (group) group.push(hitOf(query));
      else groups.set(key, [hitOf(query)]);
    }
  }
  return groups;
}
