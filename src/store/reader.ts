import type { AnnotationFilter, RunFilter, SampleFilter, VerdictFilter, Window } from "../api/store.ts";
import { Annotations } from "./annotations.ts";
import type { Database } from "./database.ts";
import { usedBytes } from "./retain.ts";
import { RunReader } from "./run-reader.ts";
import { samplesOf } from "./sample-reader.ts";
import { sumsOf } from "./sums.ts";
import { VerdictReader } from "./verdict-reader.ts";

/** Everything that is read of a store, by name: the same in this thread and in one of its own. */
export function readsOf(database: Database) {
  const verdicts = new VerdictReader(database);
  const runs = new RunReader(database);
  const annotations = new Annotations(database);
  const count = (table: string): number =>
    Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"] ?? 0);
  return {
    verdicts: (filter: VerdictFilter, limit: number, cursor: string | null) =>
      verdicts.page(filter, limit, cursor),
    verdict: (verdictId: string, revision: number | null) => verdicts.one(verdictId, revision),
    revisions: (verdictId: string) => verdicts.revisions(verdictId),
    run: (runId: string) => {
      const json = runs.json(runId);
      return json === undefined ? undefined : { json, verdicts: verdicts.ofRun(runId) };
    },
    runs: (filter: RunFilter, limit: number, cursor: string | null) => runs.page(filter, limit, cursor),
    telemetry: (runId: string) => runs.telemetry(runId),
    sums: (window: Window, bucketMs: number | null) => sumsOf(database, window, bucketMs),
    samples: (filter: SampleFilter, limit: number) => samplesOf(database, filter, limit),
    unjudged: (limit: number, cursor: string | null) => runs.unjudged(limit, cursor),
    annotations: (filter: AnnotationFilter) => annotations.list(filter),
    labels: () => annotations.labels(),
    since: (number: number, limit: number) => verdicts.since(number, limit),
    newest: () => verdicts.newest(),
    size: () => ({ verdicts: count("verdicts"), runs: count("runs"), bytes: usedBytes(database) }),
  };
}

export type Reads = ReturnType<typeof readsOf>;
