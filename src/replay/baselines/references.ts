import { mostVariants } from "../../report/baseline/file/baseline.ts";
import { type BaselineEntry, BaselineIndex } from "../../report/baseline/baseline-index.ts";
import { compareSides, nearest } from "../../report/baseline/compare.ts";
import { referenceOf } from "../../report/baseline/reference.ts";
import { asRedacted, savedSide } from "../../report/baseline/saved-side.ts";
import { judgedByVerdict, type Side } from "../../report/baseline/side.ts";
import type { NoReference, Reference } from "../../evaluate/checks/check.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { ComparedRun } from "../../report/render/findings/reported.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import { derivedOnce } from "../../support/structures/bounded-memo.ts";
import { UserError } from "../../support/process/io.ts";
import { baselineDir, readBaselines } from "./files.ts";

export interface BaselineChoice {
  /** Version from `--baseline`, otherwise from `baseline` of the configuration. If absent, the `baseline` of each spec is used. */
  readonly baseline: string | null;
  /** Folder from `--baseline-dir`, otherwise from `baseline_dir` of the configuration. If absent, the folder of each spec is used. */
  readonly baselineDir: string | null;
}

/** Saved runs, with which new runs are compared. */
export interface References {
  readonly reference: (spec: CompiledSpec, query: CompiledQuery, run: AgentRun) => Reference | NoReference;
  /** Compares a judged run with its baseline. Returns null if no baseline is requested, or the requested one is not saved. */
  readonly compare: (verdict: Verdict, spec: CompiledSpec, query: CompiledQuery) => ComparedRun | null;
  /** Errors of baselines that could not be read, one line each. */
  readonly problems: readonly string[];
}

/** Reads the baselines of the specs for which `choice`, or the spec itself, names a version. */
export function openReferences(specs: readonly CompiledSpec[], choice: BaselineChoice): References {
  const indexes = new Map<string | undefined, BaselineIndex>();
  const problems: string[] = [];
  const dirOf = derivedOnce((spec: CompiledSpec): string | undefined => {
    try {
      return baselineDir(spec, choice.baselineDir);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      problems.push(`${error.message}: ${error.hint ?? ""}`);
      return undefined;
    }
  });
  const indexOf = (spec: CompiledSpec): BaselineIndex => {
    const dir = dirOf(spec);
    let index = indexes.get(dir);
    if (index === undefined) {
      const read = dir === undefined ? { entries: [], problems: [] } : readBaselines(dir);
      problems.push(...read.problems);
      indexes.set(dir, (index = new BaselineIndex(read.entries)));
    }
    return index;
  };
  const versionOf = (spec: CompiledSpec): string | undefined => choice.baseline ?? spec.baseline;
  for (const spec of specs) if (versionOf(spec) !== undefined) indexOf(spec);
  const entryOf = (
    spec: CompiledSpec,
    query: CompiledQuery,
    run: AgentRun,
  ): BaselineEntry | "not-asked" | "no-file" => {
    const version = versionOf(spec);
    if (version === undefined) return "not-asked";
    return closest(indexOf(spec).find(spec, query, version), run) ?? "no-file";
  };
  return {
    problems,
    reference(spec, query, run) {
      const entry = entryOf(spec, query, run);
      if (typeof entry === "string") return { missing: entry, version: versionOf(spec) ?? null };
      return referenceOf(entry.baseline);
    },
    compare(verdict, spec, query) {
      const entry = entryOf(spec, query, verdict.run);
      if (typeof entry === "string") return null;
      const { baseline } = entry;
      const before = savedSide(baseline, spec, query);
      const run = asRedacted(verdict.run, baseline.metadata.redaction);
      const after: Side = { version: "now", run, judged: judgedByVerdict(verdict) };
      return { version: baseline.version, variant: baseline.variant, ...compareSides(before, after) };
    },
  };
}

/** Returns the variant of the baseline that differs least from the run; undefined if there is no variant. */
function closest(entries: readonly BaselineEntry[], run: AgentRun): BaselineEntry | undefined {
  if (entries.length < 2) return entries[0];
  const sides = entries.slice(0, mostVariants).map((entry) => ({
    entry,
    version: entry.baseline.version,
    run: entry.baseline.run,
    judged: null,
  }));
  return nearest(sides, { version: "now", run, judged: null })?.saved.entry;
}
