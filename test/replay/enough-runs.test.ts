import { createServer, type Server } from "node:http";
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundledAgent } from "../support/bundled-agent.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testAgent } from "./test-agent.ts";

const agent = `node '${await bundledAgent("agent")}' {query}`;
const dir = temporaryFolder();
let model: Server;

beforeAll(() => {
  // The model behind the agent: answers "bad" questions badly.
  model = createServer((request, response) => {
    let question = "";
    request.on("data", (part: Buffer) => (question += part.toString()));
    request.on("end", () => response.end(question.includes("bad") ? "No." : "It is on its way."));
  }).listen(0);
});
afterAll(() => {
  model.close();
});

function specWith(...queries: string[]): string {
  const file = join(dir, `${queries.length}-${queries.join("").length}.yaml`);
  const lines = queries.map((query) => `  - { ${query}, correctness: { expected_in_answer: [way] } }`);
  writeFileSync(file, `agent: shop\nqueries:\n${lines.join("\n")}\n`);
  return file;
}

async function testUntilDecided(spec: string, ...more: string[]) {
  const env = { ...process.env, AGENT_LLM: `http://127.0.0.1:${(model.address() as AddressInfo).port}` };
  return testAgent(env, "--exec", agent, "--spec", spec, "--runs", "auto", "--workers", "2", ...more);
}

const gate = "reliability: { min_pass_rate: 0.5, confidence: 0.8 }";

describe("test --exec --runs auto", () => {
  test("asks each query until its gate is decided, and one without a gate once", async () => {
    const spec = specWith(
      `id: good, query: good please, ${gate}`,
      `id: bad, query: bad please, ${gate}`,
      "id: plain, query: plain please",
    );
    const { code, result, stderr } = await testUntilDecided(spec);
    expect(result.groups.map((group) => [group.query_id, group.gate.outcome, group.runs])).toEqual([
      ["bad", "fail", 4],
      ["good", "pass", 4],
    ]);
    expect(result.groups[0]?.gate.reason).toContain(
      "is ruled out at 80 % confidence (this holds even if the gate is evaluated after each run)",
    );
    expect(stderr).toContain("good: pass after 4 runs");
    expect(stderr).toContain("bad: fail after 4 runs");
    expect(stderr).toContain("plain: after 1 run: the query has no `reliability`");
    expect(result.verdicts.filter(({ query_id: id }) => id === "plain")).toHaveLength(1);
    expect(code).toBe(1);
  });

  test("ends at --max-runs without a decision: exit code 2", async () => {
    const spec = specWith(
      "id: good, query: good please, reliability: { min_pass_rate: 0.9, confidence: 0.9 }",
    );
    const { code, result, stderr, keep } = await testUntilDecided(spec, "--max-runs", "3");
    expect(result.groups[0]?.gate).toMatchObject({ outcome: "not_enough_runs" });
    expect(result.groups[0]?.runs).toBe(3);
    expect(stderr).toContain("good: not decided after 3 runs (--max-runs 3)");
    expect(code).toBe(2);

    const replayed = await runCli("test", keep, "--spec", spec);
    expect(replayed.stdout).toContain("(about 22 more runs would decide)");
  });

  test("ends when the budget is spent", async () => {
    const spec = specWith(
      "id: good, query: good please, reliability: { min_pass_rate: 0.9, confidence: 0.9 }",
    );
    // A run costs $0.000075.
    const { code, stderr, result } = await testUntilDecided(spec, "--budget-usd", "0.00016");
    expect(stderr).toContain("of --budget-usd 0.00016 are spent");
    expect(result.groups[0]?.runs).toBe(2);
    expect(code).toBe(2);
  });

  test("does not go on with an agent that answers nothing", async () => {
    const spec = specWith(`id: silent, query: silent please, ${gate}`);
    const { code, stderr, result } = await testUntilDecided(spec);
    expect(stderr).toContain(
      "silent: not decided after 1 run, because the verdicts of the last runs are undecided",
    );
    expect(result.agent_calls).toHaveLength(1);
    expect(code).toBe(2);
  });

  test("needs an agent, and a budget needs it", async () => {
    const spec = specWith("id: a, query: a");
    expect((await runCli("test", "dump.jsonl", "--spec", spec, "--runs", "auto")).stderr).toContain(
      "--runs auto calls an agent, and there is no agent",
    );
    const words = ["--exec", agent, "--spec", spec, "--budget-usd", "1"];
    expect((await runCli("test", ...words)).stderr).toContain("--budget-usd applies only to --runs auto");
  });
});
