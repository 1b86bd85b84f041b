import { expect, test } from "vitest";
import { JournalUnwritable } from "../../src/journal/disk/errors.ts";
import { DeliveryLedger } from "../../src/journal/delivery-ledger.ts";
import type { AgentRun } from "../../src/model/run.ts";
import type { Verdict } from "../../src/model/verdict.ts";

/** A ledger on a disk that fails as often as it is told to. */
function onFailingDisk(failures: number) {
  const said: number[] = [];
  const noted: number[] = [];
  const errors: unknown[] = [];
  const dones: (() => void)[] = [];
  let left = failures;
  const ledger = new DeliveryLedger<number>({
    journal: {
      release: () => undefined,
      noteJudged: ({ verdicts }) => {
        if (left-- > 0) return Promise.reject(new JournalUnwritable("the disk cannot be written"));
        noted.push(...verdicts.map(({ revision }) => revision));
        return Promise.resolve(noted.length);
      },
      noteDelivered: () => Promise.resolve(0),
      noteForwarded: () => Promise.resolve(0),
      finish: () => Promise.resolve(),
      makeRoom: () => Promise.resolve(),
    },
    resume: () => null,
    uncorrelatedMs: 1_000,
    onError: (error) => errors.push(error),
  });
  const judge = (revision: number): void => {
    const run = { runId: "run", traceIds: ["trace"] } as unknown as AgentRun;
    ledger.begin(run);
    const verdict = { verdictId: "verdict", revision } as unknown as Verdict;
    ledger.publish(run, [verdict], (_verdict, { done }) => {
      said.push(revision);
      dones.push(done);
    });
  };
  return { ledger, judge, said, noted, errors, dones };
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
  const { ledger, judge, said, errors } = onFailingDisk(Infinity);
  judge(1);
  await expect.poll(() => errors.length).toBeGreaterThan(0);
  await ledger.settled();
  expect(said).toEqual([]);
});

test("a run that is judged, or whose verdicts arrive, after the journal was closed notes nothing and is no error", async () => {
  const { ledger, judge, said, noted, errors, dones } = onFailingDisk(0);
  judge(1);
  await expect.poll(() => said).toEqual([1]);
  await ledger.close();
  judge(2);
  for (const done of dones) done();
  await ledger.settled();
  expect([said, noted, errors]).toEqual([[1], [1], []]);
  expect(ledger.unfinished).toBe(1);
});
