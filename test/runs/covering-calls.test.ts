import { expect, test } from "vitest";
import type { LlmCall } from "../../src/runs/calls/llm-call.ts";
import type { Evidence } from "../../src/runs/evidence.ts";
import type { SpanFacts } from "../../src/runs/facts/span-facts.ts";
import { coveringCalls } from "../../src/runs/results/covering-calls.ts";

interface Node {
  readonly parent: Node | null;
  readonly role: string;
  readonly span: { readonly name: string; readonly spanId: string };
  readonly start: number;
  readonly end: number;
  readonly callId: string | null;
  readonly tool: string | null;
  readonly dialects: { readonly adapters: readonly string[] };
}

const node = (
  parent: Node | null,
  role: string,
  start: number,
  end: number,
  more: Partial<Node> = {},
): Node => ({
  parent,
  role,
  start,
  end,
  span: { name: role, spanId: `${role} ${start}` },
  callId: null,
  tool: null,
  dialects: { adapters: [] },
  ...more,
});

function callAt(at: Node, more: object = {}): LlmCall {
  const { start, end } = at;
  const timed = { isTimed: true, isNested: false, completions: 1, finish: "stop" };
  return {
    node: at,
    start,
    end,
    ...timed,
    requests: [],
    inputs: [],
    outputs: [],
    ...more,
  } as unknown as LlmCall;
}

function evidenceOf(toolNodes: readonly Node[], calls: readonly LlmCall[]): Evidence {
  return { toolNodes: toolNodes as unknown as readonly SpanFacts[], calls } as Evidence;
}

const covered = (tools: readonly Node[], calls: readonly LlmCall[]): boolean[] => {
  const covering = coveringCalls(evidenceOf(tools, calls));
  return calls.map((call) => covering.has(call));
};

const agent = node(null, "agent", 0, 1_000);
const [inStep, nextInStep] = [node(agent, "step", 0, 100), node(agent, "step", 100, 200)].map((step) =>
  node(step, "call", step.start + 10, step.start + 90),
) as [Node, Node];
const call = node(agent, "call", 10, 90);
const tool = (start: number, end: number, more: Partial<Node> = {}, parent = agent): Node =>
  node(parent, "tool", start, end, { tool: "look_up", ...more });

test.each<[string, Node[], LlmCall[], boolean]>([
  ["a tool beside the call, within its time", [tool(20, 30)], [callAt(call)], true],
  ["a tool below the call", [tool(20, 30, {}, call)], [callAt(call)], true],
  ["a tool at the edges of the call's time", [tool(10, 90)], [callAt(call)], true],
  ["a tool before the call", [tool(5, 30)], [callAt(call)], false],
  ["a tool that ends after the call", [tool(20, 91)], [callAt(call)], false],
  ["a tool of another span", [tool(20, 30, {}, inStep)], [callAt(call)], false],
  ["a call that requested tools", [tool(20, 30)], [callAt(call, { requests: [{ id: "a" }] })], false],
  [
    "a tool that an earlier call requested",
    [tool(20, 30, { callId: "a" })],
    [callAt(call), callAt(node(agent, "call", 0, 10), { requests: [{ id: "a" }] })],
    false,
  ],
  [
    "a tool that two later calls requested",
    [tool(20, 30, { callId: "a" })],
    [
      callAt(call),
      callAt(node(agent, "call", 12, 14), { requests: [{ id: "a" }] }),
      callAt(node(agent, "call", 11, 13), { requests: [{ id: "a" }] }),
    ],
    true,
  ],
  [
    "a tool that is followed by a call beside",
    [tool(20, 30)],
    [callAt(call), callAt(node(agent, "call", 40, 50))],
    false,
  ],
  [
    "a tool that is followed by the call of another step",
    [tool(20, 30, {}, inStep)],
    [callAt(inStep), callAt(nextInStep)],
    false,
  ],
])("%s", (_, tools, calls, isCovering) => {
  expect(covered(tools, calls)[0]).toBe(isCovering);
});

test("calls are looked at a few times each, however many calls and tools a run has", () => {
  const count = 2_000;
  let reads = 0;
  const counted = <Item extends object>(item: Item): Item =>
    new Proxy(item, {
      get(target, name) {
        reads++;
        return Reflect.get(target, name) as unknown;
      },
    });
  const spans = Array.from({ length: count }, (_, at) => node(agent, "call", 10 * at, 10 * at + 9));
  const calls = spans.map((at) => counted(callAt(at)));
  const tools = spans.map(({ start }, at) => counted(tool(start + 1, start + 2, { callId: `${at}` })));
  covered(tools, calls);
  expect(reads).toBeLessThan(100 * count);
});
