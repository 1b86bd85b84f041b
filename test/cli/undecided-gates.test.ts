import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { agentDump, askAndAnswer, type DumpedRun } from "../support/agent-dump.ts";
import { argv, runCliWith } from "../support/run-cli.ts";
import { temporaryFolder, temporaryFile } from "../support/temporary-folder.ts";

/*
 * A comparison, a merged result or a report that could not see something does not exit with 0.
 */

const run = (...words: string[]) => runCliWith({ env: {} }, ...words, "--no-config");
const specFile = (queries: string): string =>
  temporaryFile("spec.yaml", `version: 1\nagent: shop\n${queries}\n`);
const dumpFile = (runs: readonly DumpedRun[], more = ""): string =>
  temporaryFile("dump.jsonl", `${agentDump(runs)}${more}`);

const hi: DumpedRun = { query: "Hi", answer: "Hello" };
const bye: DumpedRun = { query: "Bye", answer: "Hello" };
const both =
  "queries: [{ query: Hi, correctness: { expected_in_answer: [hello] } }, { query: Bye, correctness: { expected_in_answer: [hello] } }]";
type Runs = readonly DumpedRun[];
const onWarn = ["--fail-on", "warn"];
const none = '{"resourceSpans": [{"broken"\n';

/** A spec with a judge that scores every answer 5, and the environment in which the judge can be called. */
async function judgedSpec() {
  const server = await modelServer(() => completion({ score: 5, label: "pass", rationale: "r" }));
  const env = { OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${server.url}/v1` };
  const spec = temporaryFile(
    "judged.yaml",
    "version: 1\nagent: shop\njudge_config: { model: openai/judge-1 }\nqueries: [{ query: Hi, correctness: { llm_judge: [{ rule: polite }] } }]\n",
  );
  return { env, spec };
}

describe("diff", () => {
  const silent: DumpedRun = { ...hi, answer: null };
  const slow: DumpedRun = { ...hi, tools: ["a"], calls: askAndAnswer };
  const budget = (most: number) => `queries: [{ query: Hi, cost: { max_total_tokens: ${most} } }]`;
  const twice = `${both.slice(0, -1)}, { id: again, query: Hi }]`;
  test.each<[string, string, Runs, Runs, number, string?, ...string[]]>([
    ["the same", both, [hi, bye], [hi, bye], 0],
    ["a query that only the older side has", both, [hi, bye], [hi], 2],
    ["a query that only the newer side has, and passes", both, [hi], [hi, bye], 0],
    ["one that fails", both, [hi], [hi, { ...bye, answer: "No" }], 1],
    ["one that cannot be judged", both, [hi], [hi, { ...bye, answer: null }], 2],
    ["a line of the newer side that cannot be read", both, [hi, bye], [hi, bye], 2, none],
    ["a query that could never be judged", both, [silent], [silent], 2],
    ["a run of two queries", twice, [bye], [bye, hi], 2],
    ["a warning, with --fail-on warn", budget(120), [hi], [slow], 1, "", ...onWarn],
    ["one that was there before, with --fail-on warn", budget(10), [hi], [hi], 0, "", ...onWarn],
  ])("%s", async (_, queries, before, after, code, more = "", ...options) => {
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
    const sides = ["--baseline", dumpFile([hi]), "--compare", temporaryFile("slower.jsonl", slower)];
    const warned = await run("diff", ...sides, "--spec", spec(22_000), "--fail-on", "warn");
    const held = await run("diff", ...sides, "--spec", spec(60_000), "--fail-on", "warn");
    expect([warned.code, held.code]).toEqual([1, 0]);
  });

  test("a judge that was asked before and is not asked now", async () => {
    const { env, spec } = await judgedSpec();
    const dir = join(temporaryFolder(), "baselines");
    const saving = ["save", dumpFile([hi]), "--spec", spec, "--version", "v1", "--baseline-dir", dir];
    expect((await runCliWith({ env }, ...saving)).code).toBe(0);
    const rude = dumpFile([{ ...hi, answer: "Go away" }]);
    const comparing = ["diff", "--baseline", "v1", "--compare", rude, "--spec", spec, "--baseline-dir", dir];
    const done = await runCliWith({ env: {} }, ...comparing, "--judge", "off");
    expect(done).toMatchObject({ code: 2 });
  });
});

describe("test --fail-on regression", () => {
  const withDir = () => ["--baseline-dir", join(temporaryFolder(), "baselines")];

  /** Exit codes of the test, and of merging its saved result. */
  async function regressed(saved: Runs, now: Runs, ...options: string[]): Promise<readonly number[]> {
    const [spec, folder] = [specFile(both), withDir()];
    const given = ["--spec", spec, ...folder];
    expect((await run("save", dumpFile(saved), ...given, "--version", "v1")).code).toBe(0);
    const gate = ["--fail-on", "regression", ...options];
    const tested = await run(
      "test",
      dumpFile(now),
      ...given,
      "--baseline",
      "v1",
      ...gate,
      "--format",
      "json",
    );
    const result = temporaryFile("result.json", tested.stdout);
    return [tested.code, (await runCliWith({ env: {} }, "merge", result, ...gate)).code];
  }

  test.each<[string, Runs, Runs, number, ...string[]]>([
    ["runs that equal their saved runs", [hi, bye], [hi, bye], 0],
    ["a run without a saved run, beside one that has one", [hi], [hi, bye], 2],
    ["the same, where undecided results are accepted", [hi], [hi, bye], 0, "--on-incomplete", "warn"],
    ["no run with a saved run", [hi], [bye], 2, "--on-missing", "warn", "--on-incomplete", "warn"],
    ["a run that is worse", [hi, bye], [hi, { ...bye, tools: ["a"] }], 1],
  ])("%s", async (_, saved, now, code, ...options) => {
    expect(await regressed(saved, now, ...options)).toEqual([code, code]);
  });

  test("JUnit shows the failure beside an undecided run", async () => {
    const given = ["--spec", specFile(both), ...withDir()];
    await run("save", dumpFile([hi, bye]), ...given, "--version", "v1");
    const now = dumpFile([
      { ...hi, tools: ["a"] },
      { ...bye, answer: null },
    ]);
    const gate = ["--baseline", "v1", "--fail-on", "regression", "--format", "junit"];
    const done = await run("test", now, ...given, ...gate);
    expect(done.code).toBe(1);
    expect(done.stdout.match(/<(?:failure|error) message="[^"]{0,20}/g)).toHaveLength(2);
    expect(done.stdout).toMatch(/<failure message="1 run regressed/);
  });

  test("a judge that was asked for the saved run and is not asked now", async () => {
    const { env, spec } = await judgedSpec();
    const given = ["--spec", spec, ...withDir()];
    const saving = ["save", dumpFile([hi]), ...given, "--version", "v1"];
    expect((await runCliWith({ env }, ...saving)).code).toBe(0);
    const gate = ["--baseline", "v1", "--fail-on", "regression", "--judge", "off"];
    expect(await run("test", dumpFile([hi]), ...given, ...gate)).toMatchObject({ code: 2 });
    expect(await run("test", dumpFile([hi]), ...given, ...gate, "--on-incomplete", "warn")).toMatchObject({
      code: 0,
    });
  });
});

describe("report", () => {
  const gated = (query: string): string =>
    `{ query: ${query}, correctness: { expected_in_answer: [hello] }, reliability: { min_pass_rate: 0.5 } }`;
  const one = gated("Hi");
  test.each<[string, string, Runs, number, string?]>([
    ["gates that hold", one, [hi], 0],
    ["a gate that does not hold", one, [{ ...hi, answer: "No" }], 1],
    ["a gate without a run", `${one}, ${gated("Bye")}`, [hi], 2],
    ["a line that cannot be read", one, [hi], 2, none],
    ["runs of nothing in the spec", one, [{ ...hi, query: "Other" }], 2],
    ["a gate over runs that are undecided", one, [{ ...hi, answer: null }], 2],
    ["a run of two queries", `${one}, { query: Bye }, { id: again, query: Bye }`, [hi, bye], 2],
    ["a query without a gate and without a run", `${one}, { query: Bye }`, [hi], 0],
  ])("%s: of a dump, and of its saved result", async (_, queries, runs, code, more = "") => {
    const dump = dumpFile(runs, more);
    const spec = specFile(`queries: [${queries}]`);
    expect(await run("report", dump, "--spec", spec)).toMatchObject({ code });
    const saved = await run("test", dump, "--spec", spec, "--format", "json", "--on-missing", "warn");
    expect(await run("report", temporaryFile("result.json", saved.stdout))).toMatchObject({ code });
  });

  test("results of two versions of a spec: one run counts once, and different limits are refused", async () => {
    const spec = temporaryFile("spec.yaml", "");
    const saved = async (limits: string, word: string, runs: Runs): Promise<string> => {
      const query = `{ query: Hi, correctness: { expected_in_answer: [${word}] }, reliability: { ${limits} } }`;
      writeFileSync(spec, `agent: shop\nqueries: [${query}]\n`);
      const done = await run("test", dumpFile(runs), "--spec", spec, "--format", "json");
      return temporaryFile("result.json", done.stdout);
    };
    const twice = "min_runs: 2, min_pass_rate: 1";
    const [one, other] = [await saved(twice, "hello", [hi]), await saved(twice, "hel", [hi])];
    expect((await run("report", one, other)).code).toBe(2);
    expect((await run("report", one, await saved(twice, "hel", [hi, hi]))).code).toBe(0);
    const loose = await saved("min_pass_rate: 1", "hello", [hi]);
    for (const results of [
      [one, loose],
      [loose, one],
    ])
      expect(await run("report", ...results)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("different limits") as string,
      });
  });

  test("a gated query without a run in one of two results, and with a run in the other", async () => {
    const spec = specFile(`queries: [${gated("Hi")}, ${gated("Bye")}]`);
    const results: string[] = [];
    for (const asked of [hi, bye]) {
      const saved = await run("test", dumpFile([asked]), "--spec", spec, "--format", "json");
      results.push(temporaryFile("result.json", saved.stdout));
    }
    expect((await run("report", results[0] ?? "")).code).toBe(2);
    expect((await run("report", ...results)).code).toBe(0);
    expect((await runCliWith({ env: {} }, "merge", ...results)).code).toBe(0);
  });
});

describe("merge", () => {
  type Tested = readonly [string, Runs, ...string[]];
  async function results(...tests: readonly Tested[]): Promise<string[]> {
    const made: string[] = [];
    for (const [queries, runs, ...more] of tests) {
      const done = await run(
        ...argv`test ${dumpFile(runs)} --spec ${specFile(queries)} --format json ${more}`,
      );
      made.push(temporaryFile("result.json", done.stdout));
    }
    return made;
  }

  const fine: Tested = [both, [hi, bye]];
  const tooMany = "queries: [{ query: Hi, path: { max_tool_calls: 0 } }]";
  const gate =
    "queries: [{ query: Hi, correctness: { expected_in_answer: [x] }, reliability: { min_pass_rate: 0.5 } }]";
  test.each<[string, readonly Tested[], number, ...string[]]>([
    ["two that pass", [fine, fine], 0],
    ["one that fails", [fine, [both, [hi, { ...bye, answer: "No" }]]], 1],
    ["one with a missing query", [fine, ["queries: [{ query: Hi }, { query: Where }]", [hi]]], 2],
    ["one that is undecided", [fine, [both, [hi, { ...bye, answer: null }]]], 2],
    ["one where nothing was judged", [[both, [{ ...hi, query: "Other" }]]], 2],
    ["one with a warning, with --fail-on warn", [[tooMany, [{ ...hi, tools: ["a"] }]]], 1, ...onWarn],
    ["one whose gate fails", [[gate, [hi]]], 1],
  ])("%s", async (_, tests, code, ...options) => {
    const done = await runCliWith({ env: {} }, "merge", ...(await results(...tests)), ...options);
    expect(done).toMatchObject({ code });
  });
});

describe("test", () => {
  const run_status = (more: string): string =>
    `queries: [{ query: Hi, correctness: { ${more}expected_in_answer: [hello] } }]`;
  const failed: DumpedRun = { ...hi, answer: null, error: "boom" };
  const no: DumpedRun = { ...hi, answer: "No" };
  const waived = (query: string, check: string, until: string, queries: string): string =>
    `waivers: [{ query: ${query}, check: ${check}, reason: known, owner: me, expires: ${until} }]\n${queries}`;
  const over = waived("hi", "expected_in_answer", "2020-01-01", run_status(""));
  const ofAnother = waived("bye", "expected_in_answer", "2099-01-01", both);
  const softened = "queries: [{ query: Hi, path: { forbidden_tools: [drop], severity: warn } }]";
  const judged = "queries: [{ query: Hi, correctness: { run_status: any, llm_judge: [{ rule: x }] } }]";
  const plain = "queries: [{ query: Hi }]";
  test.each<[string, string, Runs, number, ...string[]]>([
    ["a failed run without an answer, whatever its status", run_status("run_status: any, "), [failed], 2],
    ["one whose failure is waived", waived("hi", "run_status", "2099-01-01", run_status("")), [failed], 2],
    ["a waiver that is over", over, [no], 1],
    ["a waiver of another query", ofAnother, [no, bye], 1],
    ["a forbidden tool with a softened severity", softened, [{ ...hi, tools: ["drop"] }], 1],
    ["a query that is not in the spec", plain, [hi], 2, "--query", "nobody"],
    ["two specs, of which one judges nothing", plain, [hi], 2, "--spec", "OTHER"],
    ["a line that cannot be read", plain, [hi], 2, "BROKEN"],
    ["a check whose judge is off, alone", judged, [hi], 2, "--judge", "off"],
  ])("%s", async (_, queries, runs, code, ...options) => {
    const other = temporaryFile("other.yaml", "version: 1\nagent: nobody\nqueries: [{ query: Hi }]\n");
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
    const known = temporaryFile("old.json", old.stdout);
    const done = await run("test", dumpFile([now]), "--spec", spec, "--fail-on", "new", known);
    expect(done).toMatchObject({ code });
  });
});
