import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { adapters } from "../../../adapters/index.ts";
import { genaiTrace } from "../../../bench/data/genai-trace.ts";
import { double, int, type Span, text } from "../../../bench/data/otlp-json.ts";
import { Random } from "../../../bench/data/random.ts";
import { createAdapt } from "../../../src/adapt/adapt.ts";
import { Assembler } from "../../../src/assemble/assembler.ts";
import { endlessPatience } from "../../../src/assemble/patience.ts";
import { Joiner } from "../../../src/join/joiner.ts";
import { OrderlyRun } from "../../../src/join/orderly/orderly-run.ts";
import { plainRun } from "../../../src/model/plain-run.ts";
import type { AgentRun } from "../../../src/model/run.ts";
import { readTracesJson } from "../../../src/otlp/read-json.ts";

const adapt = createAdapt(adapters);
const scope = { name: "shop.agents", version: "1" };
const price = () => ({ usd: 0.25, source: "test" });

function runsOf(spans: readonly Span[]): AgentRun[] {
  const assembler = new Assembler(endlessPatience, 1);
  const resource = { attributes: [text("service.name", "shop")] };
  const read = readTracesJson(
    new TextEncoder().encode(
      JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] }),
    ),
  );
  if (!read.ok) throw new Error("not read");
  assembler.add(read.batch, 0);
  const joiner = new Joiner({ quietMs: 0, price });
  for (const trace of assembler.drain("eof", 0)) joiner.add(adapt(trace), 0);
  return [...joiner.release(0), ...joiner.drain()];
}

const traceOf = (seed: number, content: boolean): Span[] =>
  genaiTrace(new Random(seed), 1_763_700_000_000_000_000n, content);

/** The run as it is given, and as it is when all of it is read. */
function bothWays(run: AgentRun): [AgentRun, AgentRun] {
  return [plainRun(run), plainRun(run instanceof OrderlyRun ? run.whole : run)];
}

const isTool = ({ name }: Span): boolean => name.startsWith("execute_tool");
const isCall = ({ name }: Span): boolean => name.startsWith("chat");
const isRoot = ({ parentSpanId }: Span): boolean => parentSpanId === "";

/** Changes one attribute's text in the spans that are meant; each of them says something else of the run. */
const rewrite =
  (of: (span: Span) => boolean, key: string, to: (value: string) => string) =>
  (spans: readonly Span[]): Span[] =>
    spans.map((span) => ({
      ...span,
      attributes: !of(span)
        ? span.attributes
        : span.attributes.map((one) =>
            one.key === key && "stringValue" in one.value ? text(key, to(one.value.stringValue)) : one,
          ),
    }));

const add =
  (of: (span: Span) => boolean, ...more: Span["attributes"]) =>
  (spans: readonly Span[]): Span[] =>
    spans.map((span) => (of(span) ? { ...span, attributes: [...span.attributes, ...more] } : span));

const nth = (of: (span: Span) => boolean, n: number, change: (span: Span) => Span | undefined) => {
  return (spans: readonly Span[]): Span[] => {
    const chosen = spans.filter(of)[n];
    return spans.flatMap((span) => (span === chosen ? (change(span) ?? []) : [span]));
  };
};

const output = "gen_ai.output.messages";
const input = "gen_ai.input.messages";
const result = "gen_ai.tool.call.result";

const without =
  (of: (span: Span) => boolean, key: string) =>
  (spans: readonly Span[]): Span[] =>
    spans.map((span) =>
      of(span) ? { ...span, attributes: span.attributes.filter((one) => one.key !== key) } : span,
    );

/** Ways to say things in attributes alone: the run stays orderly. */
const plainChanges: Readonly<Record<string, (spans: readonly Span[]) => Span[]>> = {
  "one name for both models": without(isCall, "gen_ai.response.model"),
  "the model asked for answered": rewrite(isCall, "gen_ai.response.model", (model) => model.slice(0, -11)),
  "no name of the model asked for": without(isCall, "gen_ai.request.model"),
  "a name in quotes": rewrite(isCall, "gen_ai.agent.name", (name) => JSON.stringify(name)),
  "an id that is none": rewrite(isCall, "gen_ai.response.id", () => "[REDACTED]"),
  "its own price": add(isCall, double("gen_ai.usage.cost", 0.5)),
  "tokens written to a cache": add(isCall, int("gen_ai.usage.cache_creation.input_tokens", 50_000)),
  "thoughts and a total": add(
    isCall,
    int("gen_ai.usage.reasoning.output_tokens", 7),
    int("gen_ai.usage.total_tokens", 999),
  ),
  "nothing counted": (spans) =>
    spans.map((span) => ({
      ...span,
      attributes: span.attributes.map((one) => (one.key.endsWith("put_tokens") ? int(one.key, 0) : one)),
    })),
  "attributes that nobody knows": add(() => true, text("shop.mood", "calm"), text("shop.shelf", "[1,2]")),
  "a tier that everybody gets": add(isCall, text("openai.response.service_tier", "default")),
  "under a server's request": (spans) => {
    const root = spans.find(isRoot);
    if (root === undefined) return [...spans];
    const attributes = [text("http.request.method", "POST"), text("tracejury.query_id", "q1")];
    const server = { ...root, spanId: "00000000000000aa", name: "POST /ask", kind: 2, attributes };
    return [
      ...spans.map((span) => (span === root ? { ...span, parentSpanId: server.spanId } : span)),
      server,
    ];
  },
};

const changes: Readonly<Record<string, (spans: readonly Span[]) => Span[]>> = {
  "as it is": (spans) => [...spans],
  ...plainChanges,
  "what was given tells what it is": add(isTool, text("shop.given", '{"role":"assistant","content":"so"}')),
  "what nobody knows names a model": add(isCall, text("shop.engine", "gpt-4o-mini")),
  "a dialect that derives fields beside": add(() => true, text("traceloop.entity.name", "billing")),
  "the root is below its own call": (spans) => {
    const call = spans.find(isCall)?.spanId ?? "";
    return spans.map((span) => (isRoot(span) ? { ...span, parentSpanId: call } : span));
  },
  "a request below a tool tells more": nth(
    ({ name }) => name === "POST",
    0,
    (span) => ({
      ...span,
      events: [
        {
          timeUnixNano: span.endTimeUnixNano,
          name: "gen_ai.user.message",
          attributes: [text("content", "hello")],
        },
      ],
    }),
  ),
  "a tool's span is lost": nth(isTool, 1, () => undefined),
  "a call's span is lost": nth(isCall, 1, () => undefined),
  "the last call is lost": (spans) => spans.filter((span) => span !== spans.filter(isCall).at(-1)),
  "the root is lost": (spans) => spans.filter((span) => !isRoot(span)),
  "the root failed": nth(isRoot, 0, (span) => ({ ...span, status: { code: 2, message: "boom" } })),
  "a call failed": nth(isCall, 0, (span) => ({ ...span, status: { code: 2, message: "boom" } })),
  "a tool failed": nth(isTool, 0, (span) => ({ ...span, status: { code: 2, message: "boom" } })),
  "a tool's failure has no words": nth(isTool, 0, (span) => ({ ...span, status: { code: 2 } })),
  "a tool hands over": rewrite(isTool, "gen_ai.tool.name", () => "transfer_to_billing"),
  "a tool is named after the agent": rewrite(isTool, "gen_ai.tool.name", () => "ask_support-agent"),
  "a tool gives the answer": rewrite(isTool, "gen_ai.tool.name", () => "final_answer"),
  "a call is another agent's": nth(isCall, 1, (span) => ({
    ...span,
    attributes: span.attributes.map((one) =>
      one.key === "gen_ai.agent.name" ? text(one.key, "billing-agent") : one,
    ),
  })),
  "a tool has the id of another": rewrite(isTool, "gen_ai.tool.call.id", () => "call_1"),
  "calls have no names of tools": rewrite(isCall, output, (value) => value.replaceAll('"name"', '"label"')),
  "a result is an error": rewrite(isTool, result, () => '{"error":"no such order"}'),
  "a result is null": rewrite(isTool, result, () => "null"),
  "a result is cut off": rewrite(isTool, result, (value) => value.slice(0, 40)),
  "a result is a message": rewrite(isTool, result, () => '{"tool_call_id":"call_9","content":"Error: no"}'),
  "histories are cut off": rewrite(isCall, input, (value) => value.slice(0, -20)),
  "outputs are cut off": rewrite(isCall, output, (value) => value.slice(0, -20)),
  "histories tell of failures": rewrite(isCall, input, (value) =>
    value.replaceAll('"status":"ok"', '"status":"error"'),
  ),
  "histories are flagged": rewrite(isCall, input, (value) =>
    value.replaceAll('"type":"tool_call_response"', '"type":"tool_call_response","isError":true'),
  ),
  "nothing is said": rewrite(
    (span) => isCall(span) || isRoot(span),
    output,
    () => '[{"role":"assistant","parts":[{"type":"text","content":""}]}]',
  ),
  "another notation": rewrite(isCall, output, (value) =>
    value.replaceAll('"type":"tool_call"', '"type":"function_call"'),
  ),
  "calls without arguments": rewrite(isCall, output, (value) => value.replaceAll('"arguments"', '"extra"')),
  "spaces behind colons": rewrite(isCall, output, (value) => JSON.stringify(JSON.parse(value), null, 1)),
  "the user spoke of tools": rewrite(isCall, input, (value) =>
    value.replace('"content":"', '"content":"{\\"type\\":\\"tool_call\\",\\"id\\":\\"x\\"} '),
  ),
  "usage elsewhere": add(isCall, text("gen_ai.usage", '{"input_tokens":3,"output_tokens":4}')),
  "a framework's metadata": add(isCall, text("metadata", '{"langgraph_checkpoint_ns":"billing:1|call:2"}')),
  "attributes were dropped": (spans) => spans.map((span) => ({ ...span, droppedAttributesCount: 3 })),
  "another convention beside": add(
    isCall,
    text("openinference.span.kind", "LLM"),
    int("llm.token_count.prompt", 5),
  ),
  "an event with messages": nth(isCall, 1, (span) => ({
    ...span,
    events: [
      {
        timeUnixNano: span.endTimeUnixNano,
        name: "gen_ai.choice",
        attributes: [text("message", '{"content":"so it is"}')],
      },
    ],
  })),
  "tools run within a call": (spans) => {
    const tool = spans.find(isTool);
    return spans.map((span) =>
      isCall(span) && tool !== undefined ? { ...span, endTimeUnixNano: tool.endTimeUnixNano } : span,
    );
  },
};

describe("a run of one agent, written as the conventions ask for", () => {
  it.each([true, false])("is read straight from its spans, contents: %s", (content) => {
    for (let seed = 1; seed <= 10; seed++)
      expect(runsOf(traceOf(seed, content))[0]).toBeInstanceOf(OrderlyRun);
  });

  it.each(Object.keys(plainChanges))("is read so whatever its attributes say: %s", (name) => {
    for (const content of [true, false])
      expect(runsOf(plainChanges[name]?.(traceOf(3, content)) ?? [])[0]).toBeInstanceOf(OrderlyRun);
  });

  it.each(Object.keys(changes))("is what it is when all of it is read: %s", (name) => {
    for (const content of [true, false]) {
      for (let seed = 1; seed <= 3; seed++) {
        const runs = runsOf(changes[name]?.(traceOf(seed, content)) ?? []);
        for (const [given, whole] of runs.map(bothWays)) expect(given).toEqual(whole);
      }
    }
  });

  it("is the same whatever several things befall it", () => {
    const names = fc.subarray(Object.keys(changes), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 1e6 }), fc.boolean(), (befallen, seed, content) => {
        let spans = traceOf(seed, content);
        for (const name of befallen) {
          try {
            spans = changes[name]?.(spans) ?? spans;
          } catch {
            // What was cut off before cannot be taken apart.
          }
        }
        for (const [given, whole] of runsOf(spans).map(bothWays)) expect(given).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });

  it("has an empty answer where the words were captured and there are none", () => {
    const said = changes["nothing is said"]?.(traceOf(3, true).filter((span) => !isTool(span))) ?? [];
    expect(runsOf(said).map(({ answer }) => answer)).toEqual([""]);
  });

  it("tells where its facts were read", () => {
    const [run] = runsOf(traceOf(3, true));
    expect(run instanceof OrderlyRun && run.explain().some(({ fact }) => fact === "answer")).toBe(true);
  });
});
