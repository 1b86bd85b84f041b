import { statSync } from "node:fs";
import { setImmediate as breathe } from "node:timers/promises";
import type { SavedRuns, SavedVersion } from "../../interfaces/api/endpoints/baselines.ts";
import { isAbout } from "../../report/baseline/baseline-index.ts";
import type { Baseline } from "../../report/baseline/file/baseline.ts";
import { referenceOf } from "../../report/baseline/reference.ts";
import { evaluateQuery } from "../../evaluate/evaluate.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import { foldAgentName } from "../../match/rules/agent-name.ts";
import type { Outcome } from "../../model/outcome.ts";
import { baselineDir, baselineFiles, readBaselineFile } from "../../replay/baselines/files.ts";
import { UserError } from "../../support/process/io.ts";
import { toolsUsed } from "../../report/statistics/observation.ts";
import type { JudgedSample } from "../../store/archive.ts";
import type { JudgedBy } from "../settings/options.ts";

interface SavedSample {
  readonly version: string;
  readonly agent: string;
  readonly capturedAt: string | null;
  readonly sample: JudgedSample;
}

/**
 * Cached content of a baseline file: its saved run, judged by each spec. A sample is null if the run matches no query of the spec, or the
 * file cannot be read.
 */
interface SavedFile {
  readonly modifiedMs: number;
  readonly sizeBytes: number;
  readonly bySpecHash: Map<string, SavedSample | null>;
}

/** Maximum number of files that are read at once. The event loop handles requests between two batches. */
const AT_ONCE = 20;

/**
 * Makes the saved runs (baselines) of the current specs available for comparisons. Reads a baseline file again after the file or its spec
 * has changed.
 */
export class BaselineSamples implements SavedRuns {
  readonly #judgedBy: () => Pick<JudgedBy, "specs" | "baselineDir">;
  #files = new Map<string, SavedFile>();

  constructor(judgedBy: () => Pick<JudgedBy, "specs" | "baselineDir">) {
    this.#judgedBy = judgedBy;
  }

  async versions(): Promise<readonly SavedVersion[]> {
    const versions = new Map<string, SavedVersion>();
    for (const { version, capturedAt } of await this.#all()) {
      const known = versions.get(version);
      const newest = [known?.captured_at, capturedAt].filter((at) => at != null).sort();
      versions.set(version, { version, runs: (known?.runs ?? 0) + 1, captured_at: newest.at(-1) ?? null });
    }
    return [...versions.values()].sort(
      (a, b) =>
        (b.captured_at ?? "").localeCompare(a.captured_at ?? "") || a.version.localeCompare(b.version),
    );
  }

  async samples(
    wanted: string,
    { spec, query, agent }: Parameters<SavedRuns["samples"]>[1],
  ): Promise<readonly JudgedSample[]> {
    return (await this.#all()).flatMap(({ version, agent: ofAgent, sample }) =>
      version === wanted &&
      (spec === undefined || spec === sample.spec) &&
      (query === undefined || query === sample.queryId) &&
      (agent === undefined || foldAgentName(agent) === foldAgentName(ofAgent))
        ? [sample]
        : [],
    );
  }

  async #all(): Promise<readonly SavedSample[]> {
    const { specs, baselineDir: dir } = this.#judgedBy();
    const files = new Map<string, SavedFile>();
    const found: SavedSample[] = [];
    for (const spec of specs) {
      for (const file of filesOf(spec, dir)) {
        const read = files.get(file) ?? this.#upToDate(file);
        if (read === undefined) continue;
        files.set(file, read);
        if (!read.bySpecHash.has(spec.hash)) {
          read.bySpecHash.set(spec.hash, savedSample(file, spec));
          if (read.bySpecHash.size % AT_ONCE === 0) await breathe();
        }
        const sample = read.bySpecHash.get(spec.hash);
        if (sample) found.push(sample);
      }
      await breathe();
    }
    this.#files = files;
    return found;
  }

  /** Returns the cache entry of a baseline file: a new entry without samples if the file has changed, undefined if the file was deleted. */
  #upToDate(file: string): SavedFile | undefined {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const { mtimeMs: modifiedMs, size: sizeBytes } = stats;
    const known = this.#files.get(file);
    const isSame = known?.modifiedMs === modifiedMs && known.sizeBytes === sizeBytes;
    return known !== undefined && isSame ? known : { modifiedMs, sizeBytes, bySpecHash: new Map() };
  }
}

function savedSample(file: string, spec: CompiledSpec): SavedSample | null {
  const read = readBaselineFile(file);
  if (typeof read === "string") return null;
  const { baseline } = read;
  const query = spec.queries.find((one) => isAbout(baseline, spec, one));
  if (query === undefined) return null;
  const { run } = baseline;
  return {
    version: baseline.version,
    agent: baseline.agent,
    capturedAt: baseline.capturedAt,
    sample: {
      runId: run.runId,
      spec: spec.name,
      queryId: query.id,
      isWildcard: query.text === "*",
      query: run.query,
      outcome: outcomeOf(baseline, spec, query),
      durationMs: run.durationMs,
      costUsd: run.costUsd,
      tokens: run.totalTokens,
      tools: toolsUsed(run) ?? run.tools.map(({ name }) => name ?? "(unnamed)"),
    },
  };
}

/**
 * Returns the outcome in the baseline. If the baseline has no verdict, or the spec has changed since, judges the saved run again, without
 * judge models.
 */
function outcomeOf(baseline: Baseline, spec: CompiledSpec, query: CompiledQuery): Outcome {
  const { verdict, run } = baseline;
  if (verdict?.provenance.spec_hash === spec.hash) return verdict.outcome;
  return evaluateQuery(run, query, { reference: referenceOf(baseline), judge: "off" }).outcome;
}

/** Returns the baseline files of a spec; empty if the folder cannot be read. */
function filesOf(spec: CompiledSpec, dir: string | null | undefined): readonly string[] {
  try {
    return baselineFiles(baselineDir(spec, dir));
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}
