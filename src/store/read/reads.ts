import sql, { raw } from "sql-template-tag";
import { labelsByRunId, listAnnotations } from "./annotations.ts";
import type {
  AnnotationFilter,
  RunFilter,
  RunOrder,
  SampleFilter,
  StoredVerdict,
  TrendFilter,
  VerdictFilter,
  Window,
} from "../archive.ts";
import type { ChangeFilter } from "../recorded-changes.ts";
import type { Dialect, Steps } from "../sql/dialect.ts";
import { facetsOf } from "./read-facets.ts";
import { problemsOf } from "./read-problems.ts";
import { pageOfRuns, pageOfUnjudged, runJson, telemetryOf } from "./read-runs.ts";
import { samplesOf } from "./read-samples.ts";
import { settingsOf, timedVerdictsOf } from "./read-trend.ts";
import * as verdicts from "./read-verdicts.ts";
import { listChanges } from "../write/change-records.ts";

/** Returns all read operations of a store, by name. */
export function readsOf(dialect: Dialect) {
  return {
    verdicts: (filter: VerdictFilter, limit: number, cursor: string | null) =>
      verdicts.pageOfVerdicts(dialect, filter, limit, cursor),
    verdict: (verdictId: string, revision: number | null) =>
      verdicts.oneVerdict(dialect, verdictId, revision),
    revisions: (verdictId: string) => verdicts.revisionsOf(dialect, verdictId),
    run: (runId: string) => runWithVerdicts(dialect, runId),
    runs: (filter: RunFilter, limit: number, cursor: string | null, order?: RunOrder) =>
      pageOfRuns(dialect, filter, limit, cursor, order),
    facets: (filter: RunFilter) => facetsOf(dialect, filter),
    telemetry: (runId: string) => telemetryOf(dialect, runId),
    sums: (window: Window, bucketMs: number | null) => dialect.sums(window, bucketMs),
    problems: (window: Window, limit: number) => problemsOf(dialect, window, limit),
    samples: (filter: SampleFilter, limit: number) => samplesOf(dialect, filter, limit),
    timedVerdicts: (filter: TrendFilter, limit: number) => timedVerdictsOf(dialect, filter, limit),
    runSettings: (filter: TrendFilter, limit: number) => settingsOf(dialect, filter, limit),
    changes: (filter: ChangeFilter, limit: number) => listChanges(dialect, filter, limit),
    unjudged: (limit: number, cursor: string | null) => pageOfUnjudged(dialect, limit, cursor),
    annotations: (filter: AnnotationFilter) => listAnnotations(dialect, filter),
    labels: () => labelsByRunId(dialect),
    since: (number: number, limit: number) => verdicts.verdictsSince(dialect, number, limit),
    newest: () => verdicts.numberAt(dialect, "max", "verdicts"),
    size: () => sizeOf(dialect),
  };
}

export type Reads = ReturnType<typeof readsOf>;
export type ReadName = keyof Reads;
export type ReadResult<Name extends ReadName> =
  ReturnType<Reads[Name]> extends Steps<infer Result> ? Result : never;

/** Returns the database steps of the read operation with this name. */
export function stepsOf<Name extends ReadName>(
  reads: Reads,
  name: Name,
  values: Parameters<Reads[Name]>,
): Steps<ReadResult<Name>> {
  const read = reads[name] as (...given: Parameters<Reads[Name]>) => Steps<ReadResult<Name>>;
  return read(...values);
}

function* runWithVerdicts(
  dialect: Dialect,
  runId: string,
): Steps<{ readonly json: string; readonly verdicts: readonly StoredVerdict[] } | undefined> {
  const json = yield* runJson(dialect, runId);
  return json === undefined ? undefined : { json, verdicts: yield* verdicts.verdictsOfRun(dialect, runId) };
}

function* sizeOf(dialect: Dialect): Steps<{ verdicts: number; runs: number; bytes: number }> {
  const prefix = raw(dialect.prefix);
  const [row] = yield sql`
    SELECT (SELECT count(*) FROM ${prefix}verdicts) AS verdicts, (SELECT count(*) FROM ${prefix}runs) AS runs`;
  return {
    verdicts: Number(row?.["verdicts"]),
    runs: Number(row?.["runs"]),
    bytes: yield* dialect.usedBytes(),
  };
}
