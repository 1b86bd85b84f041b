import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { resultSchema, type VerdictJson } from "../../src/report/json/verdict-schema.ts";
import { runCliWith } from "../support/run-cli.ts";
import { freePort } from "../support/free-port.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { serveAgent, testAgent } from "./test-agent.ts";

const spec = `agent: chat
queries:
  - id: support
    query: Open a ticket for order 4711
    turns:
      - query: Open a ticket for order 4711
        capture: { ticket: 'T-\\d+' }
      - query: What is the status of {ticket}?
        correctness: { expected_in_answer: ["{ticket} is open"] }
      - query: Which order did I name?
        correctness: { expected_in_answer: ["4711"] }
`;
const dir = temporaryFolder();
let file = "";

beforeAll(() => {
  file = join(dir, "chat.yaml");
  writeFileSync(file, spec);
});

const driven = (env: NodeJS.ProcessEnv, specFile: string, ...words: string[]) =>
  testAgent({ ...process.env, ...env }, ...words, "--spec", specFile, "--timeout", "600");

/** What a verdict says, as text, without what depends on where its telemetry was read from. */
function essence({ outcome, answer, turn_run_ids: turns, layers, metrics }: VerdictJson): string {
  return JSON.stringify([turns, outcome, answer, layers, metrics]);
}

function checksOf({ layers }: VerdictJson) {
  return layers.correctness.checks
    .filter(({ check }) => check === "expected_in_answer")
    .map(({ turn, outcome }) => [turn, outcome]);
}

const agent = resolve("test/fixtures/agents/chat.mjs");
const exec = ["--exec", `node '${agent}' {query}`] as const;

describe("a conversation that test puts to the agent", () => {
  test("turn by turn, with the history sent along and what an answer said in a later question", async () => {
    const { code, result, keep } = await driven({}, file, ...exec, "--runs", "2");

    expect(code).toBe(0);
    expect(result.summary).toMatchObject({ total: 2, passed: 2, missing: 0, unmatched: 0 });
    for (const verdict of result.verdicts) {
      expect(verdict.turn_run_ids).toHaveLength(3);
      expect(checksOf(verdict)).toEqual([
        [2, "pass"],
        [3, "pass"],
      ]);
    }
    const kept = await runCliWith({}, "test", keep, "--spec", file, "--format", "json");
    expect(resultSchema.parse(JSON.parse(kept.stdout)).verdicts.map(essence).sort()).toEqual(
      result.verdicts.map(essence).sort(),
    );
    expect(result.agent_calls?.map(({ outcome, run_ids: ids }) => [outcome, ids.length])).toEqual([
      ["ok", 3],
      ["ok", 3],
    ]);
  });

  test("an agent that forgets fails at the turn that needed the memory", async () => {
    const { code, result } = await driven({ CHAT_FORGETS: "1" }, file, ...exec);

    expect(code).toBe(1);
    expect(result.verdicts.map(checksOf)).toEqual([
      [
        [2, "pass"],
        [3, "fail"],
      ],
    ]);
  });

  test("a turn that needs what no answer said is not put, and the rest cannot be told", async () => {
    const other = join(dir, "other.yaml");
    writeFileSync(other, spec.replace(String.raw`T-\d+`, String.raw`INC-\d+`));
    const { code, result } = await driven({}, other, ...exec);

    expect(code).toBe(2);
    expect(result.agent_calls?.[0]).toMatchObject({
      outcome: "failed",
      reason: "turn 2 was not sent: no earlier answer has the value that `capture` calls ticket",
    });
    expect(result.verdicts.map(checksOf)).toEqual([
      [
        [2, "incomplete"],
        [3, "incomplete"],
      ],
    ]);
  });

  test.each([
    ["remembers", {}, 0, "pass"],
    ["forgets", { CHAT_FORGETS: "1" }, 1, "fail"],
  ])("a running agent that keeps each session's history: one that %s", async (_, env, exit, third) => {
    const receiver = await freePort();
    const port = await serveAgent(agent, {
      ...env,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${receiver}`,
    });
    const words = ["--url", `http://127.0.0.1:${port}/`, "--set", `receive.http=127.0.0.1:${receiver}`];
    const { code, result } = await driven({}, file, ...words, "--runs", "2", "--workers", "2");

    expect(code).toBe(exit);
    const both = [
      [2, "pass"],
      [3, third],
    ];
    expect(result.verdicts.map(checksOf)).toEqual([both, both]);
  });
});
