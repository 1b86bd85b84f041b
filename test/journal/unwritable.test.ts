import { expect, test } from "vitest";
import { JournalUnwritable } from "../../src/journal/disk/errors.ts";
import { VerdictDelivery } from "../../src/collector/evaluation/verdict-delivery.ts";
import type { AcceptLogs } from "../../src/collector/inputs/accept-logs.ts";
import type { RecordWriter } from "../../src/journal/delivery-ledger.ts";
import { ledgerOver } from "./ledger-of-test.ts";
import type { TraceEntry } from "../../src/assemble/trace-entry.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { garbageCollector } from "../../src/receive/admission/garbage.ts";
import { TraceLifecycle } from "../../src/pipeline/lifecycle/trace-lifecycle.ts";
import type { Verdict } from "../../src/model/verdict.ts";

const traceId = "0".repeat(32);
const trace = { traceId, spans: [], uncorrelatedLogs: [], closeReason: "idle", truncated: false } as const;

/** Deliveries that are recorded on a disk that fails as often as it is told to. */
function onFailingDisk(failures: number) {
  const said: number[] = [];
  const noted: number[] = [];
  const errors: unknown[] = [];
  const dones: (() => void)[] = [];
  const runs: WeakRef<AgentRun>[] = [];
  const passed: string[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  let left = failures;
  const noteJudged: RecordWriter<number>["noteJudged"] = ({ verdicts }) => {
    if (left-- > 0) return Promise.reject(new JournalUnwritable("the disk cannot be written"));
    noted.push(...verdicts.map(({ revision }) => revision));
    return Promise.resolve(noted.length);
  };
  const ledger = ledgerOver({ noteJudged }, { onError });
  const lifecycle = new TraceLifecycle();
  lifecycle.closed(trace, 0);
  const acceptLogs = { ownerOf: () => ledger } as unknown as AcceptLogs;
  const delivery = new VerdictDelivery({
    acceptLogs,
    lifecycle,
    onPassed: ({ runId }) => passed.push(runId),
    onError,
  });
  const judge = (revision: number): void => {
    const run = { runId: "run", traceIds: [traceId] } as unknown as AgentRun;
    runs.push(new WeakRef(run));
    lifecycle.found(run);
    lifecycle.judged(run, []);
    ledger.begin(run, lifecycle.printOf(run));
    const verdict = { verdictId: "verdict", revision } as unknown as Verdict;
    delivery.publish(run, [verdict], (_verdict, { done }) => {
      said.push(revision);
      dones.push(done);
    });
  };
  return { delivery, lifecycle, judge, said, noted, errors, dones, runs, passed };
}

test("while the disk fails verdicts wait, and the revisions of one are then said in their order", async () => {
  const { judge, said, noted, errors } = onFailingDisk(2);
  judge(1);
  judge(2);
  await expect.poll(() => errors.length).toBe(1);
  expect(said).toEqual([]);
  judge(3);
  await expect.poll(() => said).toEqual([1, 2, 3]);
  expect(noted).toEqual(said);
});

test("what cannot be noted at the end is left to the next process, and not said twice", async () => {
  const { delivery, judge, said, errors } = onFailingDisk(Infinity);
  judge(1);
  await expect.poll(() => errors.length).toBeGreaterThan(0);
  await delivery.settled();
  expect(said).toEqual([]);
});

test("a run that is judged, or whose verdicts arrive, after the journal was closed notes nothing and is no error", async () => {
  const { delivery, lifecycle, judge, said, noted, errors, dones } = onFailingDisk(0);
  judge(1);
  await expect.poll(() => said).toEqual([1]);
  await delivery.close();
  judge(2);
  for (const done of dones) done();
  await delivery.settled();
  expect([said, noted, errors]).toEqual([[1], [1], []]);
  lifecycle.released({ id: [0, 0, 0, 0] } as unknown as TraceEntry);
  lifecycle.settle(() => false);
  expect(lifecycle.finishable(() => false).map(({ traceId }) => traceId)).toEqual([]);
});

test("a run is held until its verdicts are recorded, and not while they wait for a destination", async () => {
  const { judge, said, dones, runs, passed, lifecycle } = onFailingDisk(0);
  judge(1);
  expect(passed).toEqual([]);
  await expect.poll(() => said).toEqual([1]);
  expect(passed).toEqual(["run"]);

  const collect = garbageCollector();
  await expect.poll(() => (collect(), runs[0]?.deref())).toBeUndefined();
  lifecycle.released({ id: [0, 0, 0, 0] } as unknown as TraceEntry);
  lifecycle.settle(() => false);
  const finishable = (): string[] => lifecycle.finishable(() => false).map((trace) => trace.traceId);
  expect(finishable()).toEqual([]);
  for (const done of dones) done();
  await expect.poll(finishable).toEqual([traceId]);
});
