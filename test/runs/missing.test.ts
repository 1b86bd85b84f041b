import { existsSync } from "node:fs";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { replay } from "../../src/replay/replay.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../../src/model/json.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { runJson } from "../../src/report/json/run-json.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** Entries that go by another name than the field's path in the JSON. */
const otherNames: Readonly<Record<string, string>> = {
  final_agent: "agent",
  "tools.agent": "agent",
  "llm.agent": "agent",
  status: "end",
  input_tokens: "tokens",
  output_tokens: "tokens",
  total_tokens: "tokens",
  cost_usd: "cost",
  "tools.name": "tool_names",
  "tools.arguments": "tool_arguments",
  "tools.executed": "tool_execution",
};

/** Entries that are not about a value that is null: gaps, and what the telemetry holds twice. */
const ofNoField = new Set([
  "spans",
  "tools",
  "run",
  "root",
  "end",
  "attributes",
  "token_counts",
  "usage_records",
  "prices",
]);

/** Paths of the unknown values of a run's JSON; a JSON null that a tool was given or returned is a value, and so is no error. */
function unknownPaths(run: AgentRun): Set<string> {
  const paths = new Set<string>();
  const walk = (value: JsonValue | undefined, path: string): void => {
    if (value === null) paths.add(path);
    else if (isArray(value)) for (const item of value) walk(item, path);
    else if (isObject(value))
      for (const [key, one] of Object.entries(value)) walk(one, path === "" ? key : `${path}.${key}`);
  };
  const { attributes: _, missing: __, tools, ...fields } = runJson(run);
  walk(fields, "");
  for (const [at, tool] of (isArray(tools) ? tools : []).entries()) {
    const { arguments: given, result, ...rest } = tool as JsonObject;
    walk(rest, "tools");
    if (given === null && run.tools[at]?.arguments === undefined) paths.add("tools.arguments");
    if (result === null && run.tools[at]?.result === undefined) paths.add("tools.result");
  }
  for (const path of ["llm.error", "tools.error", ...(run.status === "error" ? [] : ["error"])])
    paths.delete(path);
  return paths;
}

/** Names of entries by which a path may be explained. */
function entriesOf(path: string, run: AgentRun): readonly string[] {
  if (path === "tools.result") return ["tool_results", path];
  // Why there is no answer is said by what ended the run, where that is known.
  if (path === "answer" && run.missing.some(({ what }) => what === "end")) return ["end"];
  return [otherNames[path] ?? path];
}

function problemsOf(run: AgentRun): string[] {
  const paths = unknownPaths(run);
  const said = run.missing.map(({ what }) => what);
  const explained = new Set([...paths].flatMap((path) => entriesOf(path, run)));
  return [
    ...[...paths]
      .filter((path) => !entriesOf(path, run).some((name) => said.includes(name)))
      .map((path) => `${path} is null, without an entry`),
    ...said
      .filter((what) => !explained.has(what) && !ofNoField.has(what))
      .map((what) => `${what} has an entry, and a value`),
  ];
}

const fixtures = [
  "adapters/*/fixtures/*.jsonl",
  "test/fixtures/runs/**/*.jsonl",
  "test/fixtures/recordings/*/*/traces.jsonl",
];

describe("each unknown value of a run has an entry in missing, and no other value has", () => {
  it.each(globSync(fixtures).sort())("%s", async (dump) => {
    const runs: AgentRun[] = [];
    const config = { attributes: [], prices: {} };
    const logs = dump.replace("traces.jsonl", "logs.jsonl");
    const dumps = logs !== dump && existsSync(logs) ? [dump, logs] : [dump];
    await replay(dumps, { config, stdin: process.stdin, onRun: (run) => runs.push(run) });
    expect(runs.map(problemsOf)).toEqual(runs.map(() => []));
    for (const { what, why } of runs.flatMap(({ missing }) => missing)) {
      expect(what).not.toBe("");
      expect(why).not.toBe("");
    }
  });
});

const json = JSON.stringify;
const asked = json([{ role: "user", parts: [{ type: "text", content: "How high?" }] }]);
const said = json([{ role: "assistant", parts: [{ type: "text", content: "3.1 metres." }] }]);
const usage = { "gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 2 };

async function missingOf(
  attributes: Readonly<Record<string, string | number>>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<ReadonlyMap<string, string>> {
  const named = { "gen_ai.operation.name": "chat", ...attributes };
  const spans = [
    span("r", undefined, "invoke_agent watcher", 0, 9, { "gen_ai.operation.name": "invoke_agent" }),
    span("a", "r", "chat", 1, 8, named, more),
  ];
  const [run] = await replayed(document(spans));
  return new Map(run?.missing.map(({ what, why }) => [what, why]));
}

const model = { "gen_ai.request.model": "gpt-4o-mini" };
const details = {
  "gen_ai.conversation.id": "c-17",
  "gen_ai.response.model": "gpt-4o-mini",
  "gen_ai.response.finish_reasons": "stop",
  "gen_ai.usage.cache_read.input_tokens": 0,
  "gen_ai.usage.cache_creation.input_tokens": 0,
  "gen_ai.usage.reasoning.output_tokens": 0,
};
const words = { "gen_ai.input.messages": asked, "gen_ai.output.messages": said };

describe("why a value is unknown is checked against the run's own data", () => {
  it("nothing but details is missing where the usual is there, and nothing at all where all is", async () => {
    expect([...(await missingOf({ ...model, ...usage, ...words })).keys()]).toEqual([
      "conversation_id",
      "handoffs_available",
      "cached_tokens",
      "cache_write_tokens",
      "reasoning_tokens",
      "llm.finish_reason",
      "llm.cached_tokens",
      "llm.reasoning_tokens",
    ]);
    expect([...(await missingOf({ ...model, ...usage, ...words, ...details })).keys()]).toEqual([
      "handoffs_available",
    ]);
  });

  it("a conversation: none was declared, or under an id that stands for none", async () => {
    expect((await missingOf(usage)).get("conversation_id")).toContain("no conversation was declared");
    const named = await missingOf({ ...usage, "gen_ai.conversation.id": "None" });
    expect(named.get("conversation_id")).toContain("is empty or a placeholder");
  });

  it("parts of the tokens: with their whole, or because calls report none", async () => {
    expect((await missingOf({ ...model, ...words })).get("cached_tokens")).toBe("tokens are unknown");
    expect((await missingOf({ ...usage, ...words })).get("reasoning_tokens")).toMatch(
      /^1 of 1 model calls report none/,
    );
    const onlyOutput = await missingOf({ "gen_ai.usage.output_tokens": 2, ...words });
    expect(onlyOutput.get("cached_tokens")).toBe("tokens are unknown");
    expect(onlyOutput.get("reasoning_tokens")).toMatch(/^1 of 1 model calls report none/);
  });

  it("a step that is known from messages has no times and no more", async () => {
    const call = { type: "tool_call", id: "c1", name: "tide", arguments: {} };
    const result = { type: "tool_call_response", id: "c1", response: "3.1" };
    const history = json([
      { role: "user", parts: [{ type: "text", content: "How high?" }] },
      { role: "assistant", parts: [call] },
      { role: "tool", parts: [result] },
    ]);
    const missing = await missingOf({ ...usage, ...words, "gen_ai.input.messages": history });
    expect(missing.get("tools.duration_ms")).toMatch(/^of 1 of 1 tool calls: known from messages alone/);
    expect(missing.has("tools.result")).toBe(false);
  });

  it("a failed call has no tokens and no end", async () => {
    const missing = await missingOf(model, { status: { code: 2, message: "429" } });
    for (const part of ["input_tokens", "cost_usd", "finish_reason"])
      expect(missing.get(`llm.${part}`)).toBe("of 1 of 1 model calls: the call failed");
    expect(missing.has("error")).toBe(false);
  });

  it("words: a switch only where no content came at all", async () => {
    expect((await missingOf({ ...model, ...usage })).get("query")).toContain("contents are switched off");
    const half = await missingOf({ ...model, ...usage, "gen_ai.output.messages": said });
    expect(half.get("query")).toContain("other content is present");
    expect(half.has("answer")).toBe(false);
  });

  it("words: the sender's limit where spans lost attributes", async () => {
    const missing = await missingOf({ ...model, ...usage }, { droppedAttributesCount: 2 });
    expect(missing.get("query")).toContain("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT");
  });

  it("tokens, and the cost with them", async () => {
    const missing = await missingOf({ ...model, ...words });
    expect(missing.get("tokens")).toMatch(/^1 of 1 model calls report no usage/);
    expect(missing.get("cost")).toBe("tokens are unknown");
  });

  it("a price, by the model's name", async () => {
    const missing = await missingOf({ "gen_ai.request.model": "our-own-8b", ...usage, ...words });
    expect(missing.get("cost")).toContain("no price for our-own-8b");
  });

  it("the model's name", async () => {
    expect((await missingOf({ ...usage, ...words })).get("cost")).toBe("1 of 1 model calls name no model");
  });
});
