import { describe, expect, it } from "vitest";
import {
  agentSpan,
  chatSpan,
  inputMessages as input,
  outputMessages as output,
  tokenCounts,
  toolAttributes,
  words,
} from "../support/genai.ts";
import { evaluationOf } from "../support/evaluation-of.ts";
import { type Attributes, document, span } from "../support/otlp.ts";
import { queryOf } from "../support/query-of.ts";
import { replayed } from "../support/replayed.ts";

type Span = Record<string, unknown>;

const json = JSON.stringify;
const user = words("user", "How high?");
const said = { role: "assistant", parts: [{ type: "text", content: "3.1" }], finish_reason: "stop" };
const requestOf = (given: unknown) => [
  {
    role: "assistant",
    parts: [{ type: "tool_call", id: "c1", name: "rm", arguments: given }],
    finish_reason: "tool_call",
  },
  { role: "tool", parts: [{ type: "tool_call_response", id: "c1", response: "ok" }] },
];
const usage = tokenCounts(10, 2);

const agent = agentSpan("r", undefined, "gauger", 0, 99, { ...input(user), ...output(said) });
const chat = (id: string, at: number, attributes: Attributes, more: Readonly<Record<string, unknown>> = {}) =>
  chatSpan(id, "r", at, { ...usage, ...attributes }, more);
const lost = { droppedAttributesCount: 2 };
const last = chat("z", 50, output(said));
const tool = span("t", "r", "execute_tool look", 20, 30, toolAttributes("look"));
const wide = Array.from({ length: 260_000 }, () => 0);
const large = Array.from({ length: 120_000 }, () => 0);
const deep = JSON.parse(`${"[".repeat(101)}${"]".repeat(101)}`) as unknown;
const parts = (side: string, at: number, role: string, text: string): Attributes => ({
  [`llm.${side}_messages.${at}.message.role`]: role,
  [`llm.${side}_messages.${at}.message.content`]: text,
});
const inParts = {
  "openinference.span.kind": "LLM",
  ...parts("input", 0, "user", "How high?"),
  ...parts("output", 0, "assistant", "3.1"),
};

async function judged(spans: readonly Span[], logs: readonly Span[] = []) {
  const records = { resourceLogs: [{ scopeLogs: [{ scope: { name: "s" }, logRecords: logs }] }] };
  const [run] = await replayed(document(spans), ...(logs.length > 0 ? [records] : []));
  if (run === undefined) throw new Error("no run");
  const query = queryOf({ path: { forbidden_tools: ["rm"], max_tool_calls: 0 } });
  const { checks } = evaluationOf(run, query).layers.path;
  return { run, outcomes: checks.map(({ check, outcome }) => `${check} ${outcome}`) };
}

const undecided = ["forbidden_tools incomplete", "max_tool_calls incomplete"];
const passed = ["forbidden_tools pass", "max_tool_calls pass"];

describe("tools are unknown where messages of a call may be lost", () => {
  it.each<readonly [string, readonly Span[]]>([
    ["a call lost attributes and shows no output", [agent, chat("a", 1, input(user), lost), last]],
    ["a call lost attributes and shows no input", [agent, chat("a", 1, output(said), lost)]],
    [
      "a tool that another call shows does not show the tools of this one",
      [agent, chat("a", 1, input(user), lost), chat("b", 20, input(user, ...requestOf({}).slice(1))), last],
    ],
    ["messages in parts lost some of them", [agent, chat("a", 1, inParts, lost)]],
    ["no call has a span, and the agent lost attributes", [{ ...agent, ...lost }]],
    [
      "the output has too many nested values to be read",
      [agent, chat("a", 1, { ...input(user), ...output(...requestOf(wide)) }), last],
    ],
    [
      "the input has too many nested values to be read",
      [agent, chat("a", 1, { ...input(user, ...requestOf(wide)), ...output(said) })],
    ],
    [
      "the output has too many nested values to be parsed",
      [agent, chat("a", 1, { ...input(user), ...output(...requestOf(large)) }), last],
    ],
    [
      "the input has too many levels to be parsed",
      [agent, chat("a", 1, { ...input(user, ...requestOf(deep)), ...output(said) })],
    ],
  ])("%s", async (_, spans) => {
    expect((await judged(spans)).outcomes).toEqual(undecided);
  });

  it.each<readonly [string, Span]>([
    ["that the sender cut", { droppedAttributesCount: 1, body: { stringValue: "{}" } }],
    ["whose body has too many nested values to be read", { body: { stringValue: json(wide) } }],
  ])("a log record of the call %s", async (_, more) => {
    const call = chat("a", 1, { ...input(user), ...output(said) });
    const log = {
      traceId: call["traceId"],
      spanId: call["spanId"],
      timeUnixNano: call["startTimeUnixNano"],
      eventName: "gen_ai.choice",
      ...more,
    };
    expect((await judged([agent, call], [log])).outcomes).toEqual(undecided);
  });
});

describe("tools are known", () => {
  const whole = { ...input(user), ...output(said) };
  it.each<readonly [string, readonly Span[]]>([
    ["where both sides of the call are whole values", [agent, chat("a", 1, whole, lost)]],
    ["where another span lost attributes", [{ ...agent, ...lost }, chat("a", 1, whole)]],
    ["where messages in parts lost nothing", [agent, chat("a", 1, inParts)]],
  ])("%s", async (_, spans) => {
    expect((await judged(spans)).outcomes).toEqual(passed);
  });

  it("where tools have spans", async () => {
    const { run } = await judged([agent, chat("a", 1, input(user), lost), tool, last]);
    expect(run.missing.filter(({ what }) => what === "tools")).toEqual([]);
  });

  it("where a forbidden tool is seen in spite of a loss", async () => {
    const spans = [
      agent,
      chat("a", 1, input(user), lost),
      chat("b", 20, { ...input(user, ...requestOf({})), ...output(said) }),
    ];
    expect((await judged(spans)).outcomes).toContain("forbidden_tools fail");
  });
});

it("the reason for lost attributes names both causes, as only the sender or only the reader may have dropped them", async () => {
  const { run } = await judged([
    agent,
    chat("a", 1, { ...input(user), ...output(...requestOf(wide)) }),
    last,
  ]);
  expect(run.missing.find(({ what }) => what === "attributes")?.why).toMatch(
    /^1 span lost attributes, events or links: either the sender's SDK dropped them \(raise OTEL_[^)]+\), or Tracejury did not read them, because there are too many attributes or nested values/,
  );
});
