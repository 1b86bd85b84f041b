import { foldAgentName } from "../../match/rules/agent-name.ts";
import { normaliseText } from "../../match/rules/normalise.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { Baseline } from "./file/baseline.ts";
import { groupBy } from "../../support/structures/group-by.ts";

export interface BaselineEntry {
  readonly file: string;
  readonly baseline: Baseline;
}

/** Finds saved runs by version and query. */
export class BaselineIndex {
  readonly #byVersion: ReadonlyMap<string, readonly BaselineEntry[]>;

  constructor(entries: readonly BaselineEntry[]) {
    const sorted = [...entries].sort(
      (a, b) => a.baseline.variant - b.baseline.variant || (a.file < b.file ? -1 : 1),
    );
    this.#byVersion = groupBy(sorted, ({ baseline }) => baseline.version);
  }

  /** Returns all versions, ordered by name. */
  versions(): readonly string[] {
    return [...this.#byVersion.keys()].sort();
  }

  /** Returns the saved runs of a query under a version, ordered by variant number. */
  find(spec: CompiledSpec, query: CompiledQuery, version: string): readonly BaselineEntry[] {
    return this.of(version).filter(({ baseline }) => isAbout(baseline, spec, query));
  }

  of(version: string): readonly BaselineEntry[] {
    return this.#byVersion.get(version) ?? [];
  }
}

/**
 * Whether a saved run belongs to the query. The run's agent must be the agent of the spec; for a spec about any agent, every agent is
 * accepted. A run with a query id is compared by id, a run without an id by its query text. A run without id and text belongs to the query
 * if the spec has no other query.
 */
export function isAbout(baseline: Baseline, spec: CompiledSpec, query: CompiledQuery): boolean {
  if (spec.agent !== "*" && foldAgentName(spec.agent) !== foldAgentName(baseline.agent)) return false;
  if (baseline.queryId !== null) return baseline.queryId === query.id;
  if (baseline.query === null || baseline.query === "") return spec.queries.length === 1;
  return normaliseText(baseline.query) === normaliseText(query.text);
}
