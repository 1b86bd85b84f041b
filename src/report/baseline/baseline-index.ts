import { foldAgentName } from "../../match/rules/agent-name.ts";
import { normaliseText } from "../../match/rules/normalise.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { Baseline } from "./file/baseline.ts";
import { groupBy } from "../../support/structures/group-by.ts";

export interface BaselineEntry {
  readonly file: string;
  readonly baseline: Baseline;
}

/** Saved runs, found by what they are about. */
export class BaselineIndex {
  readonly #byVersion: ReadonlyMap<string, readonly BaselineEntry[]>;

  constructor(entries: readonly BaselineEntry[]) {
    const sorted = [...entries].sort(
      (a, b) => a.baseline.variant - b.baseline.variant || (a.file < b.file ? -1 : 1),
    );
    this.#byVersion = groupBy(sorted, ({ baseline }) => baseline.version);
  }

  /** Every version there is, in the order of their names. */
  versions(): readonly string[] {
    return [...this.#byVersion.keys()].sort();
  }

  /** The runs saved for a query under a version, variants in their order. */
  find(spec: CompiledSpec, query: CompiledQuery, version: string): readonly BaselineEntry[] {
    return this.of(version).filter(({ baseline }) => isAbout(baseline, spec, query));
  }

  /** All runs saved under a version. */
  of(version: string): readonly BaselineEntry[] {
    return this.#byVersion.get(version) ?? [];
  }
}

/** Whether a saved run belongs to the query: by id, else by the asked text. A file without either belongs to the only query. */
export function isAbout(baseline: Baseline, spec: CompiledSpec, query: CompiledQuery): boolean {
  if (spec.agent !== "*" && foldAgentName(spec.agent) !== foldAgentName(baseline.agent)) return false;
  if (baseline.queryId !== null) return baseline.queryId === query.id;
  if (baseline.query === null || baseline.query === "") return spec.queries.length === 1;
  return normaliseText(baseline.query) === normaliseText(query.text);
}
