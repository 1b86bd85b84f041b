import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { runDetailJson } from "../../src/report/json/run-detail.ts";
import { runTree } from "../../src/report/render/commands/run-tree.ts";
import { plainTheme } from "../../src/report/render/terminal/printable.ts";
import { isExplained } from "../../src/runs/explain/explained.ts";
import {
  asks,
  chatAttributes,
  inputMessages,
  outputMessages,
  returns,
  tokenCounts,
  toolAttributes,
  toolSpan,
  words,
} from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

const asked = words("user", "How high?");
const request = (id: string, name: string) => asks(id, name, { of: id });
const result = (id: string) => returns(id, `${id} done`);
const said = words("assistant", "3.1 metres.");
const noTimes = { startTimeUnixNano: "0", endTimeUnixNano: "0" };

type Spans = readonly Record<string, unknown>[];

function chat(id: string, start: number, inputs: readonly unknown[], output: unknown, more = {}) {
  const attributes = {
    ...chatAttributes("gpt-4o-mini"),
    ...tokenCounts(10, 2),
    ...inputMessages(...inputs),
    ...outputMessages(output),
  };
  return span(id, "r", "chat", start, start + 9, attributes, more);
}

function tool(id: string, name: string, start: number, more = {}) {
  return toolSpan(id, "r", name, start, toolAttributes(name, id, `${id} done`), more);
}

const root = span("r", undefined, "invoke_agent watcher", 0, 100, {
  "gen_ai.operation.name": "invoke_agent",
});
const histories = [
  [asked],
  [asked, request("c1", "tide"), result("c1")],
  [asked, request("c1", "tide"), result("c1"), request("c2", "wind"), result("c2")],
] as const;
const outputs = [request("c1", "tide"), request("c2", "wind"), said] as const;

function calls(starts: readonly number[], more = {}): Spans {
  return histories.map((inputs, at) => chat(`m${at}`, starts[at] ?? 0, inputs, outputs[at], more));
}

async function run(spans: Spans): Promise<AgentRun> {
  const [one] = await replayed(document([root, ...spans]));
  if (one === undefined) throw new Error("no run");
  return one;
}

function order({ stepOrder = [], tools }: AgentRun): string[] {
  return stepOrder.map(({ kind, index, startUnixMs }) => {
    const name = kind === "model" ? `m${index}` : tools[index]?.name;
    return `${name}${startUnixMs === null ? " ◇" : ""}`;
  });
}

const lateWind = tool("c2", "wind", 0, noTimes);
const cases: readonly (readonly [string, Spans, string])[] = [
  [
    "all with times",
    [...calls([10, 30, 60]), tool("c1", "tide", 20), tool("c2", "wind", 45)],
    "m0 tide m1 wind m2",
  ],
  ["tools that only messages show", calls([10, 30, 60]), "m0 tide ◇ m1 wind ◇ m2"],
  [
    "a tool's span without times",
    [...calls([10, 30, 60]), tool("c1", "tide", 20), lateWind],
    "m0 tide m1 wind ◇ m2",
  ],
  [
    "tools whose clock is ahead",
    [...calls([10, 30, 60]), tool("c1", "tide", 520), tool("c2", "wind", 545)],
    "m0 tide m1 wind m2",
  ],
  [
    "tools whose clock is behind",
    [...calls([110, 130, 160]), tool("c1", "tide", 2), tool("c2", "wind", 3)],
    "m0 tide m1 wind m2",
  ],
  [
    "model calls without times, sent in another order",
    [...calls([0, 0, 0], noTimes)].reverse(),
    "m0 ◇ tide ◇ m1 ◇ wind ◇ m2 ◇",
  ],
];

describe("the order of steps", () => {
  it.each(cases)("%s", async (_name, spans, expected) => {
    const one = await run(spans);
    expect(order(one).join(" ")).toBe(expected);
    expect(one).toMatchObject({ query: "How high?", answer: "3.1 metres.", llmCalls: 3, complete: true });
    expect(one.durationMs).toBeLessThan(1000);
  });

  it("a step without a time has none in the JSON, the tree and the explanation", async () => {
    const one = await run(calls([10, 30, 60]));
    const { steps, tools } = runDetailJson(one);
    expect(steps).toMatchObject([
      { kind: "model", index: 0, place: 0 },
      { kind: "tool", index: 0, place: 1, start_unix_ms: null },
      { kind: "model", index: 1, place: 2 },
      { kind: "tool", index: 1, place: 3, start_unix_ms: null },
      { kind: "model", index: 2, place: 4 },
    ]);
    expect(tools).toMatchObject([
      { start_unix_ms: null, duration_ms: null },
      { start_unix_ms: null, duration_ms: null },
    ]);
    expect(
      runTree(one, plainTheme)
        .split("\n")
        .filter((line) => line.includes("tool ")),
    ).toEqual([
      '├─ tool    tide({"of":"c1"}) → c1 done  time unknown',
      '├─ tool    wind({"of":"c2"}) → c2 done  time unknown',
    ]);
    const facts = isExplained(one) ? one.explain() : [];
    expect(facts.filter(({ fact }) => fact.endsWith("start_unix_ms")).map(({ note }) => note)).toEqual([
      "the time of the tool call is unknown; it is listed after the model call that requested it and before the model call that received its result",
      "the time of the tool call is unknown; it is listed after the model call that requested it and before the model call that received its result",
    ]);
  });

  describe("a retrieval and a guardrail", () => {
    const retriever = (start: number, more = {}) =>
      span(
        "v",
        "r",
        "search",
        start,
        start + 2,
        { "openinference.span.kind": "RETRIEVER", "input.value": "tide" },
        more,
      );
    const guardrail = (start: number, more = {}) =>
      span("g", "r", "no insults", start, start + 2, { "openinference.span.kind": "GUARDRAIL" }, more);
    const kinds = ({ stepOrder = [] }: AgentRun): string[] =>
      stepOrder.map(({ kind, startUnixMs }) => (startUnixMs === null ? `${kind} ◇` : kind));

    it.each([
      ["the span has no documents", {}, [], true],
      ["the span has text only", { "output.value": "3 results" }, [], true],
      [
        "the list is cut off",
        { "gen_ai.retrieval.documents": '[{"id":"a"},{"id":"b","con' },
        ["a", "b"],
        true,
      ],
      ["the list is empty", { "output.value": "[]" }, [], undefined],
      ["an id is a number", { "gen_ai.retrieval.documents": '[{"id":7,"score":"0.5"}]' }, ["7"], undefined],
    ])("%s: documents", async (_name, attributes, ids, isPartial) => {
      const found = span("v", "r", "search", 2, 4, { "openinference.span.kind": "RETRIEVER", ...attributes });
      const { retrievals } = await run([chat("m0", 10, [asked], said), found]);
      expect(retrievals).toMatchObject([{ documents: ids.map((id) => ({ id })) }]);
      expect(retrievals[0]?.isPartial).toBe(isPartial);
    });

    it("names the source of a document", async () => {
      const listed = JSON.stringify([{ page_content: "Tide table", metadata: { source: "docs/tide.md" } }]);
      const attributes = { "openinference.span.kind": "RETRIEVER", "output.value": listed };
      const found = span("v", "r", "search", 2, 4, attributes);
      const { retrievals } = await run([chat("m0", 10, [asked], said), found]);
      expect(retrievals).toMatchObject([{ documents: [{ id: null, sources: ["docs/tide.md"] }] }]);
    });

    it("stand between the calls around their time", async () => {
      const one = await run([chat("m0", 10, [asked], said), retriever(2), guardrail(30)]);
      expect(kinds(one)).toEqual(["retrieval", "model", "guardrail"]);
    });

    it("without times come first, their time unknown in the JSON", async () => {
      const one = await run([chat("m0", 10, [asked], said), retriever(0, noTimes), guardrail(0, noTimes)]);
      expect(kinds(one)).toEqual(["retrieval ◇", "guardrail ◇", "model"]);
      expect(runDetailJson(one).steps).toMatchObject([
        { kind: "retrieval", place: 0, start_unix_ms: null },
        { kind: "guardrail", place: 1, start_unix_ms: null },
        { kind: "model", place: 2 },
      ]);
      expect(one).toMatchObject({ retrievals: [{ query: "tide" }], guardrails: [{ name: "no insults" }] });
    });
  });
});
