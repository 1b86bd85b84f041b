import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../src/model/json.ts";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { argv, runCli, runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * Dumps, specs and results with which a verdict once passed through a hole, each with the outcome that is right. Runs were recorded, or
 * made for one hole. Each row has the exit code, then the outcome of each check beside `run_status`, run by run.
 */

const folder = "test/fixtures/cases";
const scratch = temporaryFolder();

type Outcomes = Readonly<Record<string, string>>;

interface Tested {
  readonly code: number;
  readonly outcomes: readonly Outcomes[];
}

async function tested(
  dump: string,
  spec: string,
  words: readonly string[] = [],
  judgeUrl = "http://127.0.0.1:9",
): Promise<Tested> {
  const env = { OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${judgeUrl}/v1` };
  const { code, stdout } = await runCliWith(
    { env },
    ...argv`test ${dump} --spec ${spec} --format json ${words}`,
  );
  if (stdout === "") return { code, outcomes: [] };
  const outcomes = resultSchema.parse(JSON.parse(stdout)).verdicts.map(({ layers }) =>
    Object.fromEntries(
      Object.values(layers)
        .flatMap(({ checks }) => checks)
        .flatMap(({ check, outcome }) => (check === "run_status" ? [] : [[check, outcome] as const])),
    ),
  );
  return { code, outcomes };
}

async function saved(dump: string, spec: string): Promise<string> {
  const path = join(scratch, `${dump.replaceAll("/", "-")}.json`);
  await runCli("test", dump, "--spec", spec, "--output", `json=${path}`);
  return path;
}

test.each(["fail-on-new-forbidden-tool", "fail-on-new-1of10-to-10of10"])(
  "%s is exit code 1",
  async (name) => {
    const spec = `${folder}/${name}/s.yaml`;
    const old = await saved(`${folder}/${name}/old.jsonl`, spec);
    expect((await tested(`${folder}/${name}/now.jsonl`, spec, ["--fail-on", "new", old])).code).toBe(1);
    expect((await tested(`${folder}/${name}/old.jsonl`, spec, ["--fail-on", "new", old])).code).toBe(0);
  },
);

const times = (count: number, outcomes: Outcomes): readonly Outcomes[] =>
  Array.from({ length: count }, () => outcomes);
const paired = { expected_tool_calls: "pass", tool_call_accuracy: "skip" };
const transferred = { expected_tools: "warn", forbidden_tools: "fail" };
const served = { expected_tools: "pass", forbidden_tools: "fail" };
const passAtK = [...times(4, { expected_in_answer: "pass" }), { expected_in_answer: "fail" }];
const noPrice = { max_cost_usd: "incomplete" };

type Row = [name: string, dumpAndSpec: string, code: number, ...outcomes: Outcomes[]];

/** The dump, and behind a colon its spec if that has another name. */
const rows: Row[] = [
  ["a run of another agent is no verdict", "nothing-judged-is-green/d:s", 2],
  ["invented values are not grounded", "grounded/invented:s", 1, ...times(6, { grounded: "fail" })],
  ["true values are grounded", "grounded/true:s", 0, ...times(4, { grounded: "pass" })],
  ["pass^k holds at equality", "equality-pass-hat-k/d:s", 0, ...passAtK],
  ["a key without a value is no spec", "key-without-value/d:s", 2],
  ["negative tokens are unknown", "negative/tokens:s", 2, { max_total_tokens: "incomplete" }],
  ["a negative cost is unknown", "negative/cost:c", 2, noPrice],
  ["a failed run does not excuse a model without a price", "failed-run-hides-evidence/d:s", 2, noPrice],
  ["cut arguments are unknown", "runs/args-truncated-number", 2, { expected_tool_calls: "incomplete" }],
  ["calls are paired as many as can be", "runs/dup-greedy-trap", 0, paired],
  ["a transfer keeps its function's name", "runs/forbidden-transfer", 1, transferred],
  ["an error of MCP, as ADK records it", "runs/iserr-adk", 0, { max_tool_errors: "warn" }],
  ["an error of MCP in the history alone", "runs/iserr-history-only", 0, { max_tool_errors: "warn" }],
  ["an evaluator's words after the run", "runs/langfuse-evaluator-after", 0, { exact_match: "pass" }],
  ["a tool that the provider ran", "runs/server-tool-semconv", 1, served],
];

test.each<Row>(rows)("%s", async (_, dumpAndSpec, code, ...outcomes) => {
  const [dump = "", spec = basename(dump)] = dumpAndSpec.split(":");
  const at = join(folder, dirname(dump), `${spec}.yaml`);
  expect(await tested(`${folder}/${dump}.jsonl`, at)).toEqual({ code, outcomes });
});

test("under *, a question that fails twice of two is not hidden by others", async () => {
  const { code } = await tested(`${folder}/wildcard-gate/d.jsonl`, `${folder}/wildcard-gate/s.yaml`);
  expect(code).toBe(1);
});

test.each(["with-waiver", "severity-warn"])("%s: the judge is asked all the same", async (name) => {
  const server = await modelServer(() => completion({ score: 1, label: "fail", rationale: "a bomb" }));
  const at = `${folder}/waiver-silences-safety`;
  expect(await tested(`${at}/d.jsonl`, `${at}/${name}.yaml`, [], server.url)).toEqual({
    code: 1,
    outcomes: [{ expected_in_answer: "warn", safety_check: "fail" }],
  });
});

test("a baseline whose cost is unknown leaves the multiplier open", async () => {
  const at = `${folder}/baseline-cost-unknown`;
  const version = ["--baseline-dir", join(scratch, "baselines")];
  const save = ["--spec", `${at}/s.yaml`, "--version", "v1", "--force-save", ...version];
  expect((await runCli("save", `${at}/base.jsonl`, ...save)).code).toBe(0);
  expect(await tested(`${at}/now.jsonl`, `${at}/s.yaml`, ["--baseline", "v1", ...version])).toEqual({
    code: 2,
    outcomes: [{ max_cost_multiplier: "incomplete" }],
  });
});

test("promptfoo's tests judge as promptfoo does, without a name of the agent", async () => {
  const at = `${folder}/promptfoo`;
  const dir = join(scratch, "promptfoo");
  expect((await runCli("init", "--from-promptfoo", `${at}/pf.json`, "--dir", dir)).code).toBe(0);
  const spec = join(dir, "specs", "any.yaml");
  expect(existsSync(spec)).toBe(true);
  const { code, outcomes } = await tested(`${at}/d.jsonl`, spec);
  const failed = outcomes.flatMap((checks, at) => (Object.values(checks).includes("fail") ? [at] : []));
  expect([code, outcomes.length, failed]).toEqual([1, 8, [0, 2, 5, 6, 7]]);
  expect(outcomes.flatMap((checks) => Object.values(checks)).filter((one) => one === "pass")).toHaveLength(3);
});

const read: readonly (readonly [file: string, facts: JsonObject])[] = [
  [
    "real-oa-output-guardrail",
    { answer: "It rains in Oslo.", handoffs: [], tools: [{ name: "get_weather" }], complete: true },
  ],
  ["langfuse-evaluator-after", { answer: "6", handoffs: [], complete: true }],
  ["real-oa-same-name-tool", { tools: [{ name: "weather" }] }],
  ["iserr-adk", { tools: [{ name: "delete_file", error: "permission denied" }] }],
  ["iserr-history-only", { tools: [{ name: "delete_file", error: "permission denied" }] }],
  ["real-oa-websearch-oi", { tools: [{ name: "web_search_call" }], answer: "It will rain.", complete: true }],
  ["server-tool-semconv", { tools: [{ name: "web_search" }], answer: "Here", complete: true }],
  ["real-oa-assistant-oi", { agent: "Assistant" }],
  ["real-oa-agent-as-tool", { handoffs: [{ to: "Weather expert", tool: "delete_everything" }] }],
  ["forbidden-transfer", { handoffs: [{ to: "billing", tool: "transfer_to_billing" }] }],
  ["args-truncated-number", { tools: [{ name: "refund", arguments: null }] }],
];

test.each(read)("%s is read as it was", async (file, facts) => {
  const { stdout } = await runCli("inspect", `${folder}/runs/${file}.jsonl`, "--format", "json");
  expect(JSON.parse(stdout) as JsonValue).toMatchObject(facts);
});
