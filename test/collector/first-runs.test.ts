import { expect, test } from "vitest";
import { FirstRuns } from "../../src/collector/terminal/first-runs.ts";
import type { JudgedRun } from "../../src/pipeline/judge-run.ts";
import { runOf } from "../support/run-of.ts";
import { verdictOf } from "../support/verdict-of.ts";

type Line = Readonly<Record<string, unknown>> & { readonly message: string };

function judged(agent: string, isMatched: boolean, query: string | null = "Where is it?"): JudgedRun {
  const verdicts = isMatched ? [verdictOf([], { outcome: "pass" })] : [];
  const other = agent === "shop" ? {} : { isOfOtherAgent: true };
  const unmatched = isMatched ? [] : [{ spec: "shop.yaml", reason: "another agent", ...other }];
  return { run: runOf({ agent, query }), verdicts, unmatched, ambiguous: [] } as unknown as JudgedRun;
}

function loggedOf(hasContent: boolean, ...runs: readonly JudgedRun[]): readonly Line[] {
  const lines: Line[] = [];
  const info = (details: object, message: string): void => void lines.push({ ...details, message });
  const first = new FirstRuns({ info } as never, hasContent, () => "http://127.0.0.1:4319");
  for (const run of runs) first.log(run);
  return lines;
}

test("the first judged run is logged, and the first run of each agent that no query matches", () => {
  const runs = [judged("shop", true), judged("shop", true), judged("bank", false), judged("bank", false)];
  expect(loggedOf(true, ...runs)).toMatchObject([
    { agent: "shop", outcome: "pass", message: "the first run was judged" },
    {
      agent: "bank",
      spec: "shop.yaml",
      reason: "another agent",
      message: expect.stringMatching(/no spec.*tracejury init --from http:\/\/127\.0\.0\.1:4319 /),
    },
  ]);
});

test.each<[string, JudgedRun, string]>([
  [
    "no spec is about the agent",
    judged("bank", false),
    "no spec is for the agent of this run; tracejury init --from URL writes a spec from the agent's runs",
  ],
  [
    "no spec is about the agent and no question was recorded",
    judged("bank", false, null),
    "no spec is for the agent of this run; tracejury init --from URL writes a spec from the agent's runs",
  ],
  [
    "a spec is about the agent",
    judged("shop", false),
    "no query of any spec matches this run; tracejury init --from URL --add adds such questions to the spec",
  ],
  [
    "no question was recorded",
    judged("shop", false, null),
    "the telemetry lacks the question of this run; tracejury doctor URL shows the setting that records the question",
  ],
])("the next step when %s", (_, run, message) => {
  const [line] = loggedOf(true, run);
  expect(line?.message).toBe(message.replace("URL", "http://127.0.0.1:4319"));
  expect(loggedOf(true, run, run, judged("shop", true))).toHaveLength(2);
});

test("without content the reason, which may quote the query, is left out", () => {
  expect(loggedOf(false, judged("bank", false))[0]).not.toHaveProperty("reason");
});

test("names of agents are bounded", () => {
  const runs = Array.from({ length: 100 }, (_, n) => judged(`agent ${n}`, false));
  expect(loggedOf(true, ...runs)).toHaveLength(20);
});
