import { expect, test } from "vitest";
import { type FaultedRun, faultOutcome, meets } from "../../src/replay/resilience/fault-outcome.ts";

const pass = { outcome: "pass", warnings: [], gap: null } as const;
const recovered: FaultedRun = {
  call: { outcome: "ok", reason: "" },
  account: { requests: 3, faults: 1, requestedTools: [true, false] },
  verdicts: [pass],
  before: [pass],
  requestsBefore: 2,
};
const timedOut = { outcome: "timed_out", reason: "not done after 8 s" } as const;
const account = (requests: number, faults = 1) => ({ requests, faults, requestedTools: [] });

/** Agents, and the outcome of their run with a fault. Only the first two pass a gate. */
const agents: readonly [string, Partial<FaultedRun>, string][] = [
  ["tries again and answers", {}, "recovered"],
  ["answers with a warning", { verdicts: [{ outcome: "warn", warnings: ["cost"], gap: null }] }, "degraded"],
  [
    "ignores the fault and answers wrongly",
    { verdicts: [{ outcome: "fail", warnings: [], gap: null }] },
    "failed",
  ],
  [
    "answers wrongly by one of two specs",
    { verdicts: [pass, { outcome: "fail", warnings: [], gap: null }] },
    "failed",
  ],
  ["ends with an error", { call: { outcome: "failed", reason: "exit code 1" } }, "crashed"],
  ["hangs", { call: timedOut }, "hung"],
  ["retries a few times and hangs", { call: timedOut, account: account(31) }, "hung"],
  ["retries until the time-out", { call: timedOut, account: account(32) }, "looped"],
  ["calls the model often, and hangs", { call: timedOut, account: account(80), requestsBefore: 75 }, "hung"],
  ["repeats what fails", { account: account(40, 30) }, "looped"],
  ["never calls the model", { account: account(0, 0) }, "undecided"],
  [
    "never reaches the fault, and crashes",
    { call: { outcome: "failed", reason: "" }, account: account(1, 0) },
    "undecided",
  ],
  ["sends no telemetry", { verdicts: [] }, "undecided"],
  ["cannot be judged", { verdicts: [{ outcome: "incomplete", warnings: [], gap: null }] }, "undecided"],
  [
    "fails without the fault as well",
    { before: [{ outcome: "fail", warnings: [], gap: null }] },
    "undecided",
  ],
  ["was not judged without the fault", { before: [] }, "undecided"],
  ["could not be started", { call: { outcome: "not_started", reason: "no such command" } }, "undecided"],
];

test.each([
  ["no agent run arrived", []],
  [
    "max_cost_usd: the price is unknown",
    [pass, { ...pass, outcome: "incomplete", gap: "max_cost_usd: the price is unknown" }],
  ],
  ["no check could be decided", [{ ...pass, outcome: "skip" }]],
] as const)("an undecided run says why: %s", (why, verdicts) => {
  expect(faultOutcome({ ...recovered, verdicts })).toEqual({ outcome: "undecided", why });
});

test.each(agents)("an agent that %s", (_, given, outcome) => {
  const found = faultOutcome({ ...recovered, ...given }).outcome;

  expect(found).toBe(outcome);
  expect(meets(found, "recovered") === true).toBe(outcome === "recovered");
  expect(meets(found, "degraded") === true).toBe(outcome === "recovered" || outcome === "degraded");
});
