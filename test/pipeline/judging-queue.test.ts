import { expect, test } from "vitest";
import type { JudgedRun, Pending } from "../../src/pipeline/judge-run.ts";
import { JudgingQueue } from "../../src/pipeline/judging-queue.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { judgedWith } from "../support/verdict-of.ts";
import { runOf } from "../support/run-of.ts";

/** Runs whose query begins with "ask" wait until they are answered; those with "fault" make the judge throw. */
function court(limits: { atOnce?: number; mostWaiting?: number; isFull?: () => boolean } = {}) {
  const answers = new Map<string, () => void>();
  const delivered: string[] = [];
  const faults: string[] = [];
  const given: string[] = [];
  const judge = (run: AgentRun): JudgedRun | Pending => {
    const query = run.query ?? "";
    if (query.startsWith("fault")) throw new Error(query);
    if (!query.startsWith("ask")) return judgedWith(run);
    return {
      ask: () => new Promise((resolve) => answers.set(query, () => resolve(judgedWith(run)))),
      giveUp: () => {
        given.push(query);
        return judgedWith(run);
      },
    };
  };
  const queue = new JudgingQueue({
    judge,
    onJudged: ({ run }) => delivered.push(run.query ?? ""),
    onError: (_, error) => faults.push(String(error)),
    ...limits,
  });
  const submit = (query: string, runId = query): void => queue.submit(runOf({ query, runId }));
  return { queue, submit, answers, delivered, faults, given };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("runs that ask nobody pass by those that wait, at once", () => {
  const { submit, delivered } = court({ atOnce: 1 });
  submit("ask one");
  submit("ask two");
  submit("plain");

  expect(delivered).toEqual(["plain"]);
});

test("no more runs are before the judges than may be", async () => {
  const { queue, submit, answers, delivered } = court({ atOnce: 2 });
  for (const query of ["ask 1", "ask 2", "ask 3"]) submit(query);

  expect([...answers.keys()]).toEqual(["ask 1", "ask 2"]);
  answers.get("ask 2")?.();
  await settled();
  expect([...answers.keys()]).toEqual(["ask 1", "ask 2", "ask 3"]);
  expect({ delivered, open: queue.open }).toEqual({ delivered: ["ask 2"], open: 2 });
});

test("two revisions of a run come out in their order, however quick the second is answered", async () => {
  const { queue, submit, answers, delivered } = court();
  submit("ask first", "run");
  submit("ask second", "run");
  submit("third", "run");
  answers.get("ask second")?.();
  await settled();
  expect(delivered).toEqual([]);
  answers.get("ask first")?.();
  await queue.fewer(0);

  expect(delivered).toEqual(["ask first", "ask second", "third"]);
});

test("a revision that needs no judge, or gets none, does not overtake an earlier one that waits to be asked", async () => {
  const { queue, submit, answers, delivered, given } = court({ atOnce: 1, mostWaiting: 1 });
  submit("ask other");
  submit("ask first", "run");
  submit("second", "run");
  submit("ask third", "run");
  expect({ delivered, given }).toEqual({ delivered: [], given: ["ask third"] });
  answers.get("ask other")?.();
  await settled();
  answers.get("ask first")?.();
  await queue.fewer(0);

  expect(delivered).toEqual(["ask other", "ask first", "second", "ask third"]);
  submit("fourth", "run");
  expect(delivered.at(-1)).toBe("fourth");
});

test("what is too many to wait is judged without judges", () => {
  const { submit, given, delivered } = court({ atOnce: 1, mostWaiting: 1 });
  for (const query of ["ask 1", "ask 2", "ask 3"]) submit(query);

  expect({ given, delivered }).toEqual({ given: ["ask 3"], delivered: ["ask 3"] });
});

test("runs that would wait while waiting runs take too much memory are judged without judges", () => {
  let isFull = true;
  const { submit, given } = court({ atOnce: 1, isFull: () => isFull });
  for (const query of ["ask 1", "ask 2", "ask 3"]) submit(query);
  expect(given).toEqual(["ask 3"]);
  isFull = false;
  submit("ask 4");
  expect(given).toEqual(["ask 3"]);
});
