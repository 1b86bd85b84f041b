import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { appendQuery } from "../../src/authoring/query-text/append-query.ts";
import { limitFor } from "../../src/authoring/observed.ts";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { recordedDump } from "../support/recorded-run.ts";
import { cli, runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const runs = "test/fixtures/runs";
const broken = `${runs}/rag-weather-broken.langgraph.jsonl`;
let dir = "";
beforeEach(() => {
  dir = temporaryFolder();
});

describe("init", () => {
  test("makes a spec for each recorded agent, which the recorded runs pass", async () => {
    expect((await runCli("init", "--from", runs, "--dir", dir)).code).toBe(0);
    expect(readdirSync(join(dir, "specs"))).toEqual(["dev-agent.yaml", "rag-agent.yaml", "triageagent.yaml"]);
    const { code, stdout } = await cli`test ${runs} --spec ${join(dir, "specs", "*.yaml")} --format json`;
    expect(code).toBe(0);
    expect(resultSchema.parse(JSON.parse(stdout)).summary).toMatchObject({
      total: 14,
      failed: 0,
      warnings: 0,
      incomplete: 0,
      missing: 0,
      unmatched: 0,
    });
  });

  test("leaves what is there alone, and everything it writes is valid", async () => {
    writeFileSync(join(dir, "tracejury.yaml"), "specs: [mine.yaml]\n");
    const { code, stdout } = await runCli("init", "--agent", "my agent", "--set", "admin=off", "--dir", dir);
    expect(code).toBe(0);
    expect(stdout).toMatch(/kept .*tracejury\.yaml/);
    expect(readFileSync(join(dir, "tracejury.yaml"), "utf8")).toBe("specs: [mine.yaml]\n");
    expect(
      (await runCli("validate", join(dir, "specs/my-agent.yaml"), join(dir, "tracejury.yaml"))).code,
    ).toBe(0);
    expect(readFileSync(join(dir, ".github/workflows/tracejury.yml"), "utf8")).toMatch(
      /uses: \S+tracejury@\w+ # tracejury\n +with:\n +exec: python agent.py \{query\}/,
    );
  });

  test("without runs and --agent, says to set the agent's name", async () => {
    const { stdout } = await runCli("init", "--set", "admin=off", "--dir", dir);
    expect(stdout).toMatch(/Next: set the name of your agent in \S*specs\/my-agent\.yaml, then\n/);
  });

  test("writes what several runs agree on, which fails; what one run did warns", async () => {
    const dump = join(dir, "dump.jsonl");
    const run = (trace: string, query: string, at: number) =>
      ({ trace, query, at, answer: "Yes.", tools: ["find_order"] }) as const;
    writeFileSync(
      dump,
      recordedDump(run("a", "Once?", 0), run("b", "Twice?", 1000), run("c", "Twice?", 2000)),
    );
    await runCli("init", "--from", dump, "--dir", dir);
    const text = readFileSync(join(dir, "specs/shop.yaml"), "utf8");
    const spec = parse(text);
    const [once, twice] = spec.queries;
    const path = { expected_tool_sequence: ["find_order"], max_tool_errors: 0 };
    const spans = [{ kind: "tool", name: "find_order", field: "arguments", includes: { n: 0 } }];
    expect(text.split("\n")[0]).toMatch(
      /^# If a query has several good runs, a run that does not do what all of these runs did fails/,
    );
    expect(spec.severity).toEqual({ path: "fail" });
    expect(once).toEqual({
      id: "once",
      query: "Once?",
      severity: { path: "warn", expected_in_answer: "warn", grounded: "warn" },
      correctness: { grounded: { in: "answer" } },
      path,
      cost: { max_latency_ms: 300 },
      spans,
    });
    expect(twice).toEqual({
      id: "twice",
      query: "Twice?",
      correctness: { grounded: { in: "answer" } },
      path: { ...path, max_handoff_count: 0 },
      cost: { max_latency_ms: 300 },
      spans,
    });
    expect(text).toMatch(
      /Budgets: the largest of 2 runs plus 67 %, for calls plus 33 %, for latency at least 200 ms more\. Without this margin, each budget would fail up to one in 3 further good runs, on average\./,
    );
  });

  test("ends with what strength says of the spec; --strict closes what it can", async () => {
    const plain = await runCli("init", "--from", runs, "--agent", "rag-agent", "--dir", dir);
    const of = ({ stdout }: { readonly stdout: string }): readonly [number, number] => {
      const [, noticed, faults] = /detects (\d+) of (\d+) faults/.exec(stdout) ?? [];
      return [Number(noticed), Number(faults)];
    };
    const strict = await cli`init --from ${runs} --agent rag-agent --dir ${dir} --force --strict`;
    const [noticed, faults] = of(plain);
    expect(noticed).toBeGreaterThan(faults / 2);
    expect(plain.stdout).toMatch(
      /; not detected: .+\(\d+\)\n {2}To add checks that detect more faults, add --strict --force/,
    );
    expect(of(strict)[0]).toBeGreaterThan(noticed);
    expect(of(strict)[1]).toBe(faults);
    const spec = join(dir, "specs/rag-agent.yaml");
    expect(
      (await runCli("test", `${runs}/rag-install.langgraph.jsonl`, "--spec", spec, "--on-missing", "warn"))
        .code,
    ).toBe(0);
  });

  test("can not make a spec of runs of other agents", async () => {
    expect(await runCli("init", "--from", broken, "--agent", "nobody", "--dir", dir)).toMatchObject({
      code: 2,
    });
  });
});

test("calibrate says which budgets fit, and writes those that do not, comments kept", async () => {
  const spec = join(dir, "spec.yaml");
  writeFileSync(
    spec,
    `agent: rag-agent
queries:
  - id: install # the first
    query: "How do I install AgentCI?"
    path: { max_tool_calls: 3 }
    cost:
      max_total_tokens: 100 # too few
      max_llm_calls: 100
`,
  );
  const words = ["calibrate", `${runs}/rag-install.langgraph.jsonl`, "--spec", spec];
  const { code, stdout } = await runCli(...words, "--format", "json", "--write");
  expect(code).toBe(0);
  const fits = JSON.parse(stdout).queries[0].limits.map(({ key, fit }: { key: string; fit: string }) => [
    key,
    fit,
  ]);
  expect(Object.fromEntries(fits)).toEqual({
    max_tool_calls: "fits",
    max_llm_calls: "loose",
    max_total_tokens: "tight",
    max_cost_usd: "missing",
    max_latency_ms: "missing",
  });
  expect(readFileSync(spec, "utf8")).toMatch(/# the first[\s\S]*max_total_tokens: 1400 # too few/);
  const again = await runCli(...words, "--format", "json");
  expect(JSON.parse(again.stdout).queries[0].limits.every(({ fit }: { fit: string }) => fit === "fits")).toBe(
    true,
  );
});

test.each([
  ["max_tool_calls", 3, 1, 5],
  ["max_tool_calls", 3, 3, 4],
  ["max_llm_calls", 2, 1, 3],
  ["max_llm_calls", 10, 9, 11],
  ["max_total_tokens", 2111, 1, 4300],
  ["max_total_tokens", 2111, 3, 3200],
  ["max_cost_usd", 0.00073, 1, 0.0015],
  ["max_latency_ms", 5000, 1, 10_000],
  ["max_latency_ms", 5000, 3, 7500],
  ["max_latency_ms", 5000, 19, 5500],
] as const)("%s above %d in %d runs is %d", (key, most, runs, limit) => {
  expect(limitFor(key, most, runs)).toBe(limit);
});

test.each([
  [
    "a list at the margin",
    "queries:\n- query: a\n\n# the end\n",
    "queries:\n- query: a\n\n- query: b\n\n# the end\n",
  ],
  ["no line feed at the end", "queries:\n  - query: a", "queries:\n  - query: a\n\n  - query: b\n"],
  [
    "keys behind the list",
    "queries:\n  - query: a\nagent: x\n",
    "queries:\n  - query: a\n\n  - query: b\nagent: x\n",
  ],
])("a query is added to %s", (_, before, after) => {
  expect(appendQuery(before, (indent) => `${" ".repeat(indent)}- query: b\n`)).toBe(after);
});

test("nothing is added where the list is not written line by line", () => {
  expect(appendQuery("queries: [{ query: a }]\n", () => "")).toBeNull();
  expect(appendQuery("agent: a\n", () => "")).toBeNull();
});
