import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { agentDump, type DumpedRun } from "../support/agent-dump.ts";
import { argv, runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * A comparison, a merged result or a report that could not see something does not exit with 0.
 */

const folder = temporaryFolder();

let files = 0;
function file(name: string, text: string): string {
  const path = join(folder, `${++files}-${name}`);
  writeFileSync(path, text);
  return path;
}

const run = (...words: string[]) => runCliWith({ env: {} }, ...words, "--no-config");
const specFile = (queries: string): string => file("spec.yaml", `version: 1\nagent: shop\n${queries}\n`);
const dumpFile = (runs: readonly DumpedRun[], more = ""): string =>
  file("dump.jsonl", `${agentDump(runs)}${more}`);

const hi: DumpedRun = { query: "Hi", answer: "Hello" };
const bye: DumpedRun = { query: "Bye", answer: "Hello" };
const both =
  "queries: [{ query: Hi, correctness: { expected_in_answer: [hello] } }, { query: Bye, correctness: { expected_in_answer: [hello] } }]";
const none = '{"resourceSpans": [{"broken"\n';

describe("diff", () => {
  test.each<[string, string, readonly DumpedRun[], readonly DumpedRun[], string, readonly string[], number]>([
    ["the same", both, [hi, bye], [hi, bye], "", [], 0],
    ["a query that only the older side has", both, [hi, bye], [hi], "", [], 2],
    ["a query that only the newer side has, and passes", both, [hi], [hi, bye], "", [], 0],
    ["one that fails", both, [hi], [hi, { ...bye, answer: "No" }], "", [], 1],
    ["one that cannot be judged", both, [hi], [hi, { ...bye, answer: null }], "", [], 2],
    ["a line of the newer side that cannot be read", both, [hi, bye], [hi, bye], none, [], 2],
    [
      "a query that could never be judged",
      both,
      [{ ...hi, answer: null }],
      [{ ...hi, answer: null }],
      "",
      [],
      2,
    ],
    ["a run of two queries", `${both.slice(0, -1)}, { id: again, query: Hi }]`, [bye], [bye, hi], "", [], 2],
    [
      "a warning, with --fail-on warn",
      "queries: [{ query: Hi, cost: { max_total_tokens: 120 } }]",
      [{ ...hi }],
      [{ ...hi, tools: ["a"], answersAfterTools: true }],
      "",
      ["--fail-on", "warn"],
      1,
    ],
    [
      "a warning that was there before, with --fail-on warn",
      "queries: [{ query: Hi, cost: { max_total_tokens: 10 } }]",
      [hi],
      [hi],
      "",
      ["--fail-on", "warn"],
      0,
    ],
  ])("%s", async (_, queries, before, after, more, options, code) => {
    const sides = ["--baseline", dumpFile(before), "--compare", dumpFile(after, more)];
    const done = await run("diff", ...sides, "--spec", specFile(queries), ...options);
    expect(done).toMatchObject({ code });
  });

  test("a warning without any other difference, with --fail-on warn", async () => {
    const spec = (most: number): string =>
      specFile(`queries: [{ query: Hi, cost: { max_latency_ms: ${most} } }]`);
    const slower = agentDump([hi]).replaceAll(
      /"endTimeUnixNano":"(\d+)"/g,
      (_, end: string) => `"endTimeUnixNano":"${BigInt(end) + 4_000_000_000n}"`,
    );
    const sides = ["--baseline", dumpFile([hi]), "--compare", file("slower.jsonl", slower)];
    const warned = await run("diff", ...sides, "--spec", spec(22_000), "--fail-on", "warn");
    const held = await run("diff", ...sides, "--spec", spec(60_000), "--fail-on", "warn");
    expect([warned.code, held.code]).toEqual([1, 0]);
  });

  test("a judge that was asked before and is not asked now", async () => {
    const server = await modelServer(() => completion({ score: 5, label: "pass", rationale: "r" }));
    const env = { OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${server.url}/v1` };
    const spec = file(
      "judged.yaml",
      "version: 1\nagent: shop\njudge_config: { model: openai/judge-1 }\nqueries: [{ query: Hi, correctness: { llm_judge: [{ rule: polite }] } }]\n",
    );
    const dir = join(folder, "baselines");
    const saving = ["save", dumpFile([hi]), "--spec", spec, "--version", "v1", "--baseline-dir", dir];
    expect((await runCliWith({ env }, ...saving)).code).toBe(0);
    const rude = dumpFile([{ ...hi, answer: "Go away" }]);
    const comparing = ["diff", "--baseline", "v1", "--compare", rude, "--spec", spec, "--baseline-dir", dir];
    const done = await runCliWith({ env: {} }, ...comparing, "--judge", "off");
    expect(done).toMatchObject({ code: 2 });
  });
});

describe("report", () => {
  const gated = (query: string): string =>
    `{ query: ${query}, correctness: { expected_in_answer: [hello] }, reliability: { min_pass_rate: 0.5 } }`;
  test.each<[string, string, readonly DumpedRun[], string, number]>([
    ["gates that hold", `queries: [${gated("Hi")}]`, [hi], "", 0],
    ["a gate that does not hold", `queries: [${gated("Hi")}]`, [{ ...hi, answer: "No" }], "", 1],
    ["a gate without a run", `queries: [${gated("Hi")}, ${gated("Bye")}]`, [hi], "", 2],
    ["a line that cannot be read", `queries: [${gated("Hi")}]`, [hi], none, 2],
    ["runs of nothing in the spec", `queries: [${gated("Hi")}]`, [{ ...hi, query: "Other" }], "", 2],
    ["a gate over runs that are undecided", `queries: [${gated("Hi")}]`, [{ ...hi, answer: null }], "", 2],
    [
      "a run of two queries",
      `queries: [${gated("Hi")}, { query: Bye }, { id: again, query: Bye }]`,
      [hi, bye],
      "",
      2,
    ],
    ["a query without a gate and without a run", `queries: [${gated("Hi")}, { query: Bye }]`, [hi], "", 0],
  ])("%s: of a dump, and of its saved result", async (_, queries, runs, more, code) => {
    const dump = dumpFile(runs, more);
    const spec = specFile(queries);
    expect(await run("report", dump, "--spec", spec)).toMatchObject({ code });
    const saved = await run("test", dump, "--spec", spec, "--format", "json", "--on-missing", "warn");
    expect(await run("report", file("result.json", saved.stdout))).toMatchObject({ code });
  });

  test("a gated query without a run in one of two results, and with a run in the other", async () => {
    const spec = specFile(`queries: [${gated("Hi")}, ${gated("Bye")}]`);
    const results: string[] = [];
    for (const one of [hi, bye]) {
      const saved = await run("test", dumpFile([one]), "--spec", spec, "--format", "json");
      results.push(file("result.json", saved.stdout));
    }
    expect((await run("report", results[0] ?? "")).code).toBe(2);
    expect((await run("report", ...results)).code).toBe(0);
    expect((await runCliWith({ env: {} }, "merge", ...results)).code).toBe(0);
  });
});

describe("merge", () => {
  async function results(
    ...tests: (readonly [string, readonly DumpedRun[], ...string[]])[]
  ): Promise<string[]> {
    const made: string[] = [];
    for (const [queries, runs, ...more] of tests) {
      const done = await run(
        ...argv`test ${dumpFile(runs)} --spec ${specFile(queries)} --format json ${more}`,
      );
      made.push(file("result.json", done.stdout));
    }
    return made;
  }

  test.each<[string, (readonly [string, readonly DumpedRun[], ...string[]])[], readonly string[], number]>([
    [
      "two that pass",
      [
        [both, [hi, bye]],
        [both, [hi, bye]],
      ],
      [],
      0,
    ],
    [
      "one that fails",
      [
        [both, [hi, bye]],
        [both, [hi, { ...bye, answer: "No" }]],
      ],
      [],
      1,
    ],
    [
      "one with a missing query",
      [
        [both, [hi, bye]],
        ["queries: [{ query: Hi }, { query: Where }]", [hi]],
      ],
      [],
      2,
    ],
    [
      "one that is undecided",
      [
        [both, [hi, bye]],
        [both, [hi, { ...bye, answer: null }]],
      ],
      [],
      2,
    ],
    ["one where nothing was judged", [[both, [{ ...hi, query: "Other" }]]], [], 2],
    [
      "one with a warning, with --fail-on warn",
      [["queries: [{ query: Hi, path: { max_tool_calls: 0 } }]", [{ ...hi, tools: ["a"] }]]],
      ["--fail-on", "warn"],
      1,
    ],
    [
      "one whose gate fails",
      [
        [
          "queries: [{ query: Hi, correctness: { expected_in_answer: [x] }, reliability: { min_pass_rate: 0.5 } }]",
          [hi],
        ],
      ],
      [],
      1,
    ],
  ])("%s", async (_, tests, options, code) => {
    const done = await runCliWith({ env: {} }, "merge", ...(await results(...tests)), ...options);
    expect(done).toMatchObject({ code });
  });

  test("a part that is not there, and one that is there twice", async () => {
    const dump = dumpFile([hi, bye]);
    const spec = specFile(both);
    const parts = await Promise.all(
      ["1/2", "2/2"].map(async (shard) => {
        const { stdout } = await run("test", dump, "--spec", spec, "--shard", shard);
        return file("part.jsonl", stdout);
      }),
    );
    const merged = async (...named: string[]) => (await runCliWith({ env: {} }, "merge", ...named)).code;
    const [one = "", two = ""] = parts;
    expect([
      await merged(one, two),
      await merged(one),
      await merged(one, one),
      await merged(one, one, two),
    ]).toEqual([0, 2, 2, 2]);
  });
});

describe("test", () => {
  const run_status = (more: string): string =>
    `queries: [{ query: Hi, correctness: { ${more}expected_in_answer: [hello] } }]`;
  const failed: DumpedRun = { ...hi, answer: null, error: "boom" };
  const waived = (check: string, until: string): string =>
    `waivers: [{ query: hi, check: ${check}, reason: known, owner: me, expires: ${until} }]`;
  test.each<[string, string, readonly DumpedRun[], readonly string[], number]>([
    ["a failed run without an answer, whatever its status", run_status("run_status: any, "), [failed], [], 2],
    [
      "one whose failure is waived",
      `${waived("run_status", "2099-01-01")}\n${run_status("")}`,
      [failed],
      [],
      2,
    ],
    [
      "a waiver that is over",
      `${waived("expected_in_answer", "2020-01-01")}\n${run_status("")}`,
      [{ ...hi, answer: "No" }],
      [],
      1,
    ],
    [
      "a waiver of another query",
      `${waived("expected_in_answer", "2099-01-01").replace("query: hi", "query: bye")}\n${both}`,
      [{ ...hi, answer: "No" }, bye],
      [],
      1,
    ],
    [
      "a forbidden tool with a softened severity",
      "queries: [{ query: Hi, path: { forbidden_tools: [drop], severity: warn } }]",
      [{ ...hi, tools: ["drop"] }],
      [],
      1,
    ],
    ["tags that no query has", "queries: [{ query: Hi, tags: [a] }]", [hi], ["--tags", "b"], 2],
    ["a query that is not in the spec", "queries: [{ query: Hi }]", [hi], ["--query", "nobody"], 2],
    ["two specs, of which one judges nothing", "queries: [{ query: Hi }]", [hi], ["--spec", "OTHER"], 2],
    ["an empty dump", "queries: [{ query: Hi }]", [], [], 2],
    [
      "a spec of a wildcard, and another agent",
      'queries: [{ query: "*" }]',
      [{ ...hi, agent: "other" }],
      [],
      2,
    ],
    ["a line that cannot be read", "queries: [{ query: Hi }]", [hi], ["BROKEN"], 2],
    [
      "a check whose judge is off, alone",
      "queries: [{ query: Hi, correctness: { run_status: any, llm_judge: [{ rule: x }] } }]",
      [hi],
      ["--judge", "off"],
      2,
    ],
  ])("%s", async (_, queries, runs, options, code) => {
    const other = file("other.yaml", "version: 1\nagent: nobody\nqueries: [{ query: Hi }]\n");
    const words = options
      .map((word) => (word === "OTHER" ? other : word))
      .filter((word) => word !== "BROKEN");
    const dump = dumpFile(runs, options.includes("BROKEN") ? none : "");
    const done = await run("test", dump, "--spec", specFile(queries), ...words);
    expect(done).toMatchObject({ code });
  });

  test.each<[string, DumpedRun, DumpedRun, number]>([
    ["a check that was undecided and fails now", { ...hi, answer: null }, { ...hi, answer: "No" }, 1],
    ["a check that failed and is undecided now", { ...hi, answer: "No" }, { ...hi, answer: null }, 2],
    ["a run that failed otherwise", { ...hi, answer: "No" }, { ...hi, answer: "No", error: "boom" }, 1],
    ["a run that is gone", { ...hi, answer: "No" }, { ...hi, query: "Other" }, 2],
  ])("--fail-on new: %s", async (_, before, now, code) => {
    const spec = specFile("queries: [{ query: Hi, correctness: { expected_in_answer: [hello] } }]");
    const old = await run("test", dumpFile([before]), "--spec", spec, "--format", "json");
    const known = file("old.json", old.stdout);
    const done = await run("test", dumpFile([now]), "--spec", spec, "--fail-on", "new", known);
    expect(done).toMatchObject({ code });
  });
});
