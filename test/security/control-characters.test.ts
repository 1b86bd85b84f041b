import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { specText } from "../../src/authoring/query-text/spec-text.ts";
import { serveInTest } from "../support/serve.ts";
import { escapeControls, escapeControlsInValue } from "../../src/support/structures/control-characters.ts";
import { formats } from "../../src/report/render/formats/format-names.ts";
import { proposeQuery } from "../../src/report/render/json/query-block.ts";
import { securityDefaults } from "../../src/support/security/settings.ts";
import { createLog } from "../../src/support/telemetry/log/log.ts";
import { document, span } from "../support/otlp.ts";
import { startOtlpSink } from "../support/otlp-sink.ts";
import { cli, runCli } from "../support/run-cli.ts";
import { specOf } from "../support/spec-of.ts";
import { startWebhookSink } from "../support/webhook-sink.ts";
import { destinationDefaults, webhookDefaults } from "../support/settings-defaults.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/*
 * Telemetry in which every text drives a terminal or reorders what stands beside it, through every command and output.
 */

/** Soft hyphen, zero-width characters, fillers, and a tag, which can carry a text that nobody sees. */
const hiding = "pa\u00ads\u200bs\u200cw\u200do\u2060r\ufeffd\u{e0041}";
/** C0, delete, C1, marks that reorder text, and separators of lines; ESC also as the beginning of a colour. */
const hostile =
  "a\u001b[31m\u001b]0;t\u0007\u009b2J\u0085\u007f\u202e\u2066\u061c\u200f\u2028\u0000\rz" + hiding;
const unsafe =
  /(?![\t\n]|\r\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029\u00ad\u200b-\u200d\u2060-\u2064\ufeff\u{e0000}-\u{e01ff}]/u;

const folder = temporaryFolder();
const inFolder = (name: string): string => join(folder, name);
const dump = inFolder("dump\u009b.jsonl");
const spec = inFolder("spec.yaml");

beforeAll(() => {
  writeFileSync(dump, [trace("1", "rm"), trace("2", "search")].map((one) => `${one}\n`).join(""));
  const text = JSON.stringify(hostile);
  writeFileSync(
    spec,
    `version: 1
agent: "*"
queries:
  - id: all
    query: "*"
    description: ${text}
    correctness: { expected_in_answer: [${text}], not_in_answer: ["nothing like it"] }
    path: { forbidden_tools: [rm], expected_tools: [${text}], max_tool_calls: 0 }
    cost: { max_total_tokens: 1, max_cost_usd: 1 }
`,
  );
});

function trace(id: string, tool: string): string {
  const status = { code: tool === "rm" ? 2 : 0, message: `error ${hostile}` };
  const more = { traceId: id.repeat(32), status };
  const message = (role: string) =>
    JSON.stringify([{ role, parts: [{ type: "text", content: `${role} ${hostile}` }] }]);
  const said = {
    "gen_ai.input.messages": message("user"),
    "gen_ai.output.messages": message("assistant"),
  };
  const agent = {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": `agent ${hostile}`,
    "gen_ai.conversation.id": `conversation ${hostile}`,
    ...said,
    [`key ${hostile}`]: hostile,
  };
  const model = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": `model ${hostile}`,
    ...said,
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 5,
  };
  const call = (name: string) => ({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    "gen_ai.tool.call.arguments": JSON.stringify({ [hostile]: hostile }),
    "gen_ai.tool.call.result": hostile,
  });
  const spans = [
    span("1", undefined, `invoke_agent agent ${hostile}`, 0, 1_000, agent, more),
    span("2", "1", `chat model ${hostile}`, 0, 1_000, model, more),
    ...[tool, `tool ${hostile}`].map((name, at) =>
      span(`${at + 3}`, "1", `execute_tool ${name}`, 0, 1_000, call(name), more),
    ),
  ];
  const resource = { "service.name": `service ${hostile}`, "service.version": hostile };
  return JSON.stringify(document(spans, { scope: "app", version: hostile, resource }));
}

function expectSafe(text: string): void {
  expect(unsafe.exec(text)?.[0].charCodeAt(0).toString(16)).toBeUndefined();
}

test("control sequences are escaped; line breaks, tabs and our own colours are not", () => {
  expect(escapeControls("a\tb\r\nc\n\u001b[1;31mred\u001b[0m \u001b]0;t\u0007 \u009b \u202e \r.")).toBe(
    "a\tb\r\nc\n\u001b[1;31mred\u001b[0m \\u001b]0;t\\u0007 \\u009b \\u202e \\u000d.",
  );
  expect(escapeControlsInValue("a\tb\n\u001b[0m")).toBe("a\\u0009b\n\\u001b[0m");
  expectSafe(escapeControls(JSON.stringify(hostile)));
  expect(JSON.parse(escapeControls(JSON.stringify({ [hostile]: hostile })))).toEqual({ [hostile]: hostile });
  const ordinary = 'Ünïcödé 漢字 👩‍🚀 "quotes" \\ \u00a0';
  expect(escapeControls(ordinary)).toBe(ordinary);
});

describe("on standard output and error", () => {
  const testing = ["test", dump, "--spec", spec, "--judge", "off"];
  test.each<readonly (readonly string[])[]>([
    ...formats.map((format) => [[...testing, "--format", format]]),
    [["inspect", dump, "--format", "json"]],
    [["inspect", dump, "--format", "json", "--full"]],
    [["inspect", dump, "--explain"]],
    [["inspect", dump, "--format", "tree"]],
    [["doctor", dump, "--spec", spec]],
    [["doctor", dump, "--format", "json"]],
    [["report", dump, "--spec", spec, "--group-by", "agent"]],
    [["report", dump, "--spec", spec, "--group-by", "model", "--format", "json"]],
    [["backtest", dump, "--spec", spec, "--base", spec]],
    [["backtest", dump, "--spec", spec, "--base", spec, "--format", "markdown"]],
    [["coverage", dump, "--spec", spec]],
    [["coverage", dump, "--spec", spec, "--format", "json"]],
    [["calibrate", dump, "--spec", spec]],
    [["strength", dump, "--spec", spec]],
    [["validate", dump]],
    [["test", `no such ${hostile}`, "--spec", spec]],
    [["test", dump, "--spec", `no such ${hostile}`]],
    [["test", dump, "--spec", spec, "--query", hostile]],
    [[hostile]],
  ])("%j", async (words) => {
    const { stdout, stderr } = await runCli(...words);
    expect(`${stdout}${stderr}`).not.toBe("");
    expectSafe(stdout);
    expectSafe(stderr);
  });

  test("JSON keeps the texts as they were", async () => {
    const { stdout } = await runCli("inspect", dump, "--format", "json");
    const [first] = stdout.split("\n").map((line) => (line === "" ? null : (JSON.parse(line) as object)));
    expect(first).toMatchObject({ agent: `agent ${hostile}`, service: `service ${hostile}` });
  });
});

test("in specs that are proposed, which read as the texts they were made of", () => {
  const query = {
    id: "q",
    query: `\u202e${hostile}`,
    path: { expected_tools: ["plain", "right\u202eleft"] },
  };
  const text = specText(`agent ${hostile}`, [{ query, remarks: [hostile] }], [hostile]);
  expectSafe(text);
  expect(parse(text)).toEqual({ version: 1, agent: `agent ${hostile}`, queries: [query] });
  const block = proposeQuery({ query: hostile, tools: [{ name: "right\u202eleft" }] }) ?? "";
  expectSafe(block);
  expect(parse(block)).toMatchObject([{ query: hostile, path: { expected_tools: ["right\u202eleft"] } }]);
});

test("in files of reports, baselines and the metrics of a saved result", async () => {
  const reports = inFolder("reports");
  mkdirSync(reports);
  const outputs = formats.flatMap((format) => ["--output", `${format}=${join(reports, format)}`]);
  await runCli("test", dump, "--spec", spec, "--judge", "off", ...outputs);
  const baselines = inFolder("baselines");
  const dir = ["--baseline-dir", baselines];
  for (const version of ["v1", "v2"])
    await cli`save ${dump} --spec ${spec} --version ${version} --force-save --judge off ${dir}`;
  const files = [reports, baselines].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: "utf8" }).map((name) => join(root, name)),
  );
  const texts = files.filter((name) => statSync(name).isFile()).map((name) => readFileSync(name, "utf8"));
  expect(texts.length).toBeGreaterThan(formats.length + 1);
  for (const text of [...texts, ...files]) expectSafe(text);
  for (const words of [
    ["export-metrics", join(reports, "json")],
    ["merge", join(reports, "json")],
    ["baselines", ...dir],
    ["diff", "--baseline", "v1", "--compare", "v2", ...dir],
    ["diff", "--baseline", "v1", "--compare", "v2", "--format", "json", ...dir],
  ]) {
    const { stdout, stderr } = await runCli(...words);
    expect(stdout).not.toBe("");
    expectSafe(stdout + stderr);
  }
});

test("in the log, the API, its metrics, the verdict file and webhooks of serve", async () => {
  const hook = await startWebhookSink();
  const slack = await startWebhookSink();
  const backend = await startOtlpSink();
  onTestFinished(async () => void (await Promise.all([hook.close(), slack.close(), backend.close()])));
  const lines: string[] = [];
  const file = inFolder("verdicts.jsonl");
  const live = await serveInTest({
    specs: [specOf(readFileSync(spec, "utf8"))],
    log: createLog({ level: "debug", format: "json", stream: { write: (line) => lines.push(line) } }),
    timeouts: { rootQuietMs: 50, rootOpenMs: 100, lateWindowMs: 300 },
    export: {
      file,
      otlp: [{ ...destinationDefaults, endpoint: backend.endpoint, signals: ["metrics"] }],
      webhook: [
        { ...webhookDefaults, url: hook.url, maxDelayMs: 20 },
        { ...webhookDefaults, url: slack.url, maxDelayMs: 20, format: "slack" },
      ],
    },
    security: { ...securityDefaults, allowedNetworks: ["127.0.0.1"] },
  });
  const headers = { "content-type": "application/json" };
  for (const body of [trace("1", "rm"), trace("2", "search"), '{"a": "\u009b\u202e"'])
    await fetch(`http://${live.listening.http}/v1/traces`, { method: "POST", headers, body });
  await live.whenIdle();
  await expect.poll(() => existsSync(file) && hook.accepted.length * slack.accepted.length > 0).toBe(true);
  const get = async (path: string): Promise<string> =>
    (await fetch(`http://${live.listening.admin}${path}`)).text();
  const texts = await Promise.all(
    ["/metrics", "/api/v1/verdicts", "/api/v1/runs", "/api/status", `/api/v1/runs/${hostile}`].map(get),
  );
  const [metrics = "", verdicts = ""] = texts;
  expect(metrics).toContain("tracejury_verdicts_total{");
  expect((JSON.parse(verdicts) as { verdicts: object[] }).verdicts[0]).toMatchObject({
    agent: `agent ${hostile}`,
  });
  const saved = readFileSync(file, "utf8");
  const posted = [...hook.accepted, ...slack.accepted].map(({ body }) => body);
  const slackTexts = slack.accepted.flatMap(({ body }) =>
    (JSON.parse(body) as { blocks: { text: { text: string } }[] }).blocks.map(({ text }) => text.text),
  );
  expect(slackTexts.join("")).toContain("forbidden_tools");
  for (const text of [...texts, saved, ...posted, ...lines, ...slackTexts]) expectSafe(text);
});
