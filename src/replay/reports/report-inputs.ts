import type { JudgeMode } from "../../judge/settings.ts";
import { groupKeyJson, observeJson } from "../../report/json/observe-json.ts";
import { queryUnitOfJson } from "../../report/json/query-unit.ts";
import type { InvalidInput } from "../../report/render/json/result.ts";
import { verdictJson } from "../../report/json/verdict-json.ts";
import type { VerdictJson } from "../../report/json/verdict-schema.ts";
import { type GatedQuery, gateUnitOf, gatesOf, placeOf } from "../../report/render/report/gated-groups.ts";
import type { Circumstances } from "../../report/statistics/change-points/circumstances.ts";
import type { Observation } from "../../report/statistics/observation.ts";
import { type Io, UserError, write } from "../../support/process/io.ts";
import { canonicalJson } from "../../support/structures/canonical-json.ts";
import { worse } from "../../model/outcome.ts";
import { type ConfigFlags, loadSettings, loadJudgingSpecs } from "../../config/command-settings.ts";
import { judgeDumps, referencesFor } from "../judging/preparing.ts";
import { readVerdicts } from "./result-files.ts";
import { holdsVerdicts } from "./result-kind.ts";

export interface ReportInputOptions extends ConfigFlags {
  readonly spec: readonly string[];
  /** How runs are grouped: by `query`, `agent`, `model`, or the name of a run attribute. */
  readonly groupBy: string;
  readonly judge?: JudgeMode;
}

/** A judged run before grouping. */
export interface ReportInput {
  /** Group of the run; null if the run does not have the attribute. */
  readonly key: string | null;
  /** Names of the attributes that the run has instead; empty if `key` is known. */
  readonly otherAttributes: readonly string[];
  readonly spec: string;
  readonly queryId: string;
  /** Observation of the run, without the group. */
  readonly observation: Observation;
  /** Start time of the run; null if unknown. */
  readonly unixMs: number | null;
  readonly circumstances: Circumstances;
}

export interface ReportInputs {
  readonly judged: readonly ReportInput[];
  readonly invalid: readonly InvalidInput[];
  /** Number of runs that several queries match. */
  readonly ambiguous: number;
  /** Queries with a gate but without a judged run. */
  readonly unseen: readonly string[];
}

/** Gates by spec and query id. */
type Gates = ReadonlyMap<string, GatedQuery>;

function byPlace(gates: readonly GatedQuery[]): Gates {
  return new Map(gates.map((gate) => [placeOf(gate.spec, gate.queryId), gate]));
}

/**
 * Judges the runs of dumps, and reads saved verdicts. A run that occurs twice for a query counts once, also if different versions of the spec
 * judged it: a dump takes precedence over saved results, and of two saved verdicts the worse one counts.
 * @throws UserError if saved results have different limits for one gate
 */
export async function readReportInputs(
  inputs: readonly string[],
  options: ReportInputOptions,
  io: Io,
): Promise<ReportInputs> {
  const written = inputs.filter((name) => name !== "-" && holdsVerdicts(name));
  const dumps = inputs.filter((name) => !written.includes(name));
  const read = await readVerdicts(written);
  refuseDifferentLimits(read.gates);
  const gates = byPlace(read.gates);
  const judged = new Map(
    worstOfEachRun(read.verdicts).map((verdict) => [runKey(verdict), inputOf(verdict, options, gates)]),
  );
  const more =
    dumps.length === 0
      ? null
      : await judgeAll(dumps, options, io, (verdict, gates) =>
          judged.set(runKey(verdict), inputOf(verdict, options, gates)),
        );
  const seen = new Set([...judged.values()].map(({ spec, queryId }) => placeOf(spec, queryId)));
  const allGates = new Map([...gates, ...(more?.gates ?? [])]);
  return {
    judged: [...judged.values()],
    invalid: [...read.invalid, ...(more?.invalid ?? [])],
    ambiguous: read.ambiguous.size + (more?.ambiguous ?? 0),
    unseen: [...allGates].flatMap(([place, { queryId }]) => (seen.has(place) ? [] : [queryId])),
  };
}

function runKey({ spec, query_id: queryId, run_id: runId }: VerdictJson): string {
  return JSON.stringify([spec, queryId, runId]);
}

function worstOfEachRun(verdicts: readonly VerdictJson[]): readonly VerdictJson[] {
  const found = new Map<string, VerdictJson>();
  for (const verdict of verdicts) {
    const other = found.get(runKey(verdict));
    if (other === undefined || worse(verdict.outcome, other.outcome) !== other.outcome)
      found.set(runKey(verdict), verdict);
  }
  return [...found.values()];
}

/** The limits of the last result would otherwise decide for the runs of all results. */
function refuseDifferentLimits(gates: readonly GatedQuery[]): void {
  const known = new Map<string, string>();
  for (const { spec, queryId, reliability } of gates) {
    const place = placeOf(spec, queryId);
    const limits = canonicalJson(reliability);
    if ((known.get(place) ?? limits) !== limits)
      throw new UserError(
        `the results have different limits under reliability for the query ${queryId} of the spec ${spec}`,
        "judge the runs by one spec: tracejury report DUMP --spec FILE",
      );
    known.set(place, limits);
  }
}

function inputOf(verdict: VerdictJson, { groupBy }: ReportInputOptions, gates: Gates): ReportInput {
  const gate = gates.get(placeOf(verdict.spec, verdict.query_id));
  const key = groupKeyJson(verdict, groupBy);
  return {
    key,
    otherAttributes: key === null ? Object.keys(verdict.attributes) : [],
    spec: verdict.spec,
    queryId: verdict.query_id,
    observation: {
      ...observeJson(verdict, ""),
      query: queryUnitOfJson(verdict),
      gate: gate && gateUnitOf(verdict, gate),
    },
    unixMs: verdict.start_unix_ms ?? null,
    circumstances: {
      serviceVersion: groupKeyJson(verdict, "service.version"),
      models: groupKeyJson(verdict, "model"),
      specHash: verdict.provenance.spec_hash,
      tools: verdict.tools ?? null,
    },
  };
}

async function judgeAll(
  dumps: readonly string[],
  options: ReportInputOptions,
  io: Io,
  onVerdict: (verdict: VerdictJson, gates: Gates) => void,
): Promise<Pick<ReportInputs, "invalid" | "ambiguous"> & { readonly gates: Gates }> {
  const { config } = await loadSettings(options, io);
  const specs = await loadJudgingSpecs(options.spec, io, config);
  const references = await referencesFor(specs, config);
  for (const problem of references.problems) await write(io.stderr, `warning: ${problem}\n`);
  const queries = specs.flatMap((spec) => spec.queries.map((query) => ({ spec, query })));
  const gates = byPlace(gatesOf(queries));
  let ambiguous = 0;
  const { invalid } = await judgeDumps({
    dumps,
    config,
    specs,
    mode: options.judge,
    reference: references.reference,
    onJudged: (judged) => {
      if (judged.ambiguous.length > 0) ambiguous++;
      for (const verdict of judged.verdicts) onVerdict(verdictJson(verdict), gates);
    },
    io,
  });
  return { invalid, ambiguous, gates };
}
