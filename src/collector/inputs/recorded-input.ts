import type { WhyLeftOut } from "../../assemble/assembler-counts.ts";
import type { DeliveryLedger } from "../../journal/delivery-ledger.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import type { TraceLifecycle } from "../../pipeline/lifecycle/trace-lifecycle.ts";
import type { Revisions } from "../../pipeline/revisions.ts";
import type { Engine } from "../../replay/engine.ts";

/**
 * Passes a batch to the pipeline, and the position of its record to the delivery ledger. Returns the number of traces in the batch.
 * @param whyLeftOut function that returns the reason to ignore a row; undefined to accept the row
 */
export function takeRecorded<Place>(
  ledger: DeliveryLedger<Place>,
  { assembler, pipeline }: Engine,
  batch: Batch,
  place: Place,
  now: number,
  whyLeftOut?: WhyLeftOut,
): number {
  const { counts } = assembler;
  const uncorrelated = counts.uncorrelatedLogs;
  const traces = pipeline.accept(batch, now, whyLeftOut);
  const hasUncorrelated = counts.uncorrelatedLogs > uncorrelated;
  ledger.took(
    batch,
    place,
    traces,
    hasUncorrelated ? { mayJoin: () => assembler.mayJoin(batch) } : null,
    now,
  );
  return traces;
}

/**
 * Looks up what an earlier process recorded about a run, before it is judged. Returns false if an earlier process judged the unchanged run
 * and delivered its verdicts. If the run is judged again, the revision numbers of its verdicts continue after the recorded numbers.
 */
export function beginRecorded<Place>(
  ledger: DeliveryLedger<Place>,
  lifecycle: TraceLifecycle,
  revisions: Revisions,
  run: AgentRun,
): boolean {
  const resumed = ledger.begin(run, lifecycle.printOf(run));
  for (const [verdictId, revision] of resumed?.given ?? []) revisions.resume(verdictId, revision);
  return resumed?.isSettled !== true;
}
