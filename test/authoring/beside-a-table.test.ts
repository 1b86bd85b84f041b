import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { TemporaryFolder } from "../dump/dump-files.ts";
import { runCli } from "../support/run-cli.ts";

const temporary = new TemporaryFolder();
afterAll(() => temporary.remove());
let made = 0;

/** A spec whose first item is a table of two queries, so that its other queries have other places in the file than in the spec. */
function specWith(rows: string): string {
  const name = `spec-${made++}`;
  temporary.write(`${name}.csv`, `question\n${rows}`);
  const spec = temporary.write(
    `${name}.yaml`,
    `version: 1
agent: rag-agent
queries:
  - queries_from: ${name}.csv
    query: "{question}"
    cost: { max_total_tokens: 10 }
  - { id: install, query: How do I install AgentCI?, cost: { max_total_tokens: 10 } }
  - { id: weather, query: "What's the weather in Tokyo?", expected_fail: true }
  - { id: third, query: third }
`,
  );
  // Commands are given paths relative to the working directory.
  return relative(process.cwd(), spec);
}

interface Written {
  readonly id?: string;
  readonly cost?: Record<string, number>;
  readonly path?: Record<string, number>;
  readonly expected_fail?: boolean;
}

function queriesIn(spec: string): readonly Written[] {
  return (parse(readFileSync(spec, "utf8")) as { queries: readonly Written[] }).queries;
}

const runs = "test/fixtures/runs";
const others = "How do I brew tea?\nHow do I brew coffee?\n";

test("calibrate --write changes the query whose runs were measured", async () => {
  const spec = specWith(others);

  const ran = await runCli("calibrate", join(runs, "rag-install.langgraph.jsonl"), "--spec", spec, "--write");

  expect(ran.code).toBe(0);
  const [table, install, ...rest] = queriesIn(spec);
  expect(install?.cost?.["max_total_tokens"]).toBeGreaterThan(668);
  expect(table?.cost).toEqual({ max_total_tokens: 10 });
  expect(rest.map(({ cost }) => cost)).toEqual([undefined, undefined]);
});

test("calibrate --write names a query of the table, and changes nothing in its place", async () => {
  const spec = specWith("How do I brew tea?\nExplain the LangGraph state management pattern\n");
  const before = readFileSync(spec, "utf8");

  const ran = await runCli(
    "calibrate",
    join(runs, "rag-langgraph.langgraph.jsonl"),
    "--spec",
    spec,
    "--write",
  );

  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain(
    "query explain-the-langgraph-state-management-pattern is in another file or a",
  );
  expect(readFileSync(spec, "utf8")).toBe(before);
});

test("promote extends the query that the run matches", async () => {
  const spec = specWith(others);
  const bad = join(runs, "rag-weather-broken.langgraph.jsonl");
  const good = join(runs, "rag-weather-fixed.langgraph.jsonl");

  const ran = await runCli("promote", bad, "--spec", spec, "--like", good);

  expect(ran.stderr).toBe("");
  expect(ran.code).toBe(0);
  expect(queriesIn(spec).map(({ path }) => path?.["max_tool_calls"])).toEqual([
    undefined,
    undefined,
    0,
    undefined,
  ]);
});

test("promote --flip removes expected_fail from the query that it names", async () => {
  const spec = specWith(others);

  const ran = await runCli("promote", "--flip", "weather", "--spec", spec);

  expect(ran.stdout).toContain("removed expected_fail from query weather");
  expect(queriesIn(spec).map(({ expected_fail: isExpected }) => isExpected)).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
});
