import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { isExplained } from "../../src/runs/explain/explained.ts";
import { agentAttributes, agentSpan, tokenCounts, toolAttributes } from "../support/genai.ts";
import { type Attributes, document, span, type Span } from "../support/otlp.ts";
import { replayed, replayedOne } from "../support/replayed.ts";

/** Who a run's agent is: by declared names, by what runs what, and never by the name of an operation or wrapper. */

const run = (spans: readonly Span[], scope = "test"): Promise<AgentRun> =>
  replayedOne(document(spans, { scope }));

const agent = (id: string, parent: string | undefined, name: string, start: number, end: number): Span =>
  agentSpan(id, parent, name, start, end);
const openinference = (id: string, parent: string | undefined, name: string, more: Attributes = {}): Span =>
  span(id, parent, name, 0, 90, { "openinference.span.kind": "AGENT", ...more });
const chat = (id: string, parent: string, at: number, more: Attributes = {}): Span =>
  span(id, parent, "chat small", at, at + 5, {
    "gen_ai.operation.name": "chat",
    "gen_ai.response.finish_reasons": ["stop"],
    "gen_ai.request.model": "small",
    ...tokenCounts(10, 2),
    ...more,
  });
const pairs = ({ handoffs }: AgentRun): string[] => handoffs.map(({ from, to }) => `${from} → ${to}`);
const noteOn = (one: AgentRun): string | null | undefined =>
  (isExplained(one) ? one.explain() : []).find(({ fact }) => fact === "agent")?.note;

describe("an agent without its own model call that runs another", () => {
  it.each([
    [
      "the conventions",
      [agent("r", undefined, "TriageAgent", 0, 90), agent("b", "r", "BillingAgent", 5, 80)],
    ],
    [
      "OpenInference",
      [openinference("r", undefined, "TriageAgent"), openinference("b", "r", "BillingAgent")],
    ],
  ])("hands over to it and is the run's agent: %s", async (_, spans) => {
    const one = await run([...spans, chat("a", "b", 10)]);
    expect({ agent: one.agent, finalAgent: one.finalAgent, handoffs: pairs(one) }).toEqual({
      agent: "TriageAgent",
      finalAgent: "BillingAgent",
      handoffs: ["TriageAgent → BillingAgent"],
    });
    expect(one.llm.map(({ agent: who }) => who)).toEqual(["BillingAgent"]);
    expect(one.handoffs[0]).toMatchObject({ kind: "change", inferred: true });
    expect(noteOn(one)).toContain("makes no model call itself");
  });

  it("over two levels", async () => {
    const spans = [
      agent("r", undefined, "Desk", 0, 90),
      agent("t", "r", "TriageAgent", 1, 89),
      agent("b", "t", "BillingAgent", 5, 80),
    ];
    const one = await run([...spans, chat("a", "b", 10)]);
    expect({ agent: one.agent, handoffs: pairs(one) }).toEqual({
      agent: "Desk",
      handoffs: ["Desk → TriageAgent", "TriageAgent → BillingAgent"],
    });
  });

  it("chooses among several where its name says so", async () => {
    const one = await run([
      agent("r", undefined, "support_router", 0, 90),
      agent("b", "r", "BillingAgent", 5, 40),
      chat("a", "b", 10),
      agent("t", "r", "TechnicalAgent", 45, 80),
      chat("c", "t", 50),
    ]);
    expect({ agent: one.agent, handoffs: pairs(one) }).toEqual({
      agent: "support_router",
      handoffs: ["support_router → BillingAgent", "support_router → TechnicalAgent"],
    });
  });
});

describe("what hands over nothing", () => {
  const inner = [agent("b", "r", "writer", 5, 40), chat("a", "b", 10)];
  const second = [agent("t", "r", "editor", 45, 80), chat("c", "t", 50)];

  it.each([
    ["one agent after another", [...inner, ...second]],
    ["agents side by side", [...inner, agent("t", "r", "editor", 6, 41), chat("c", "t", 11)]],
    ["one agent again and again", [...inner, agent("t", "r", "writer", 45, 80), chat("c", "t", 50)]],
  ])("a container: %s", async (_, spans) => {
    const one = await run([agent("r", undefined, "newsroom", 0, 90), ...spans]);
    expect({ agent: one.agent, handoffs: one.handoffs }).toEqual({ agent: "newsroom", handoffs: [] });
    expect(one.llm.map(({ agent: who }) => who)).not.toContain("newsroom");
  });

  it.each(["SequentialAgent", "review_pipeline", "parallel_search", "LoopAgent", "writers_team"])(
    "a container around one agent, by its name: %s",
    async (name) => {
      expect(pairs(await run([agent("r", undefined, name, 0, 90), ...inner]))).toEqual([]);
    },
  );
});

describe("a declared agent name outranks the name of the outermost span", () => {
  const root = (name: string, more: Attributes): Span => span("r", undefined, name, 0, 90, more);
  const aiSdk = { "ai.operationId": "ai.generateText", "operation.name": "ai.generateText" };

  it("on a step beside the calls", async () => {
    const step = span("s", "r", "plan", 1, 4, {
      "gen_ai.operation.name": "plan",
      "gen_ai.agent.name": "clerk",
    });
    const one = await run([openinference("r", undefined, "desk"), step, chat("a", "r", 5)]);
    expect(one.agent).toBe("clerk");
    expect(one.llm.map(({ agent: who }) => who)).toEqual(["clerk"]);
    expect(noteOn(one)).toContain("takes precedence");
  });

  it.each([
    ["ai.generateText", aiSdk],
    ["ai.streamObject", { ...aiSdk, "ai.operationId": "ai.streamObject" }],
    ["model_request", { "openinference.span.kind": "CHAIN" }],
    ["single_run_sequential", { "gen_ai.operation.name": "invoke_agent" }],
    ["checkout-trace", { "langfuse.observation.type": "agent" }],
    ["checkout.handle", { "gen_ai.operation.name": "invoke_agent" }],
    ["Agent.try_run()", { "gen_ai.operation.name": "invoke_agent" }],
    ["execute_event_loop_cycle", { "gen_ai.operation.name": "invoke_agent" }],
    ["conversation", { "gen_ai.operation.name": "invoke_agent" }],
    ["run.f9f77d1a-437f-4ba6-890e-b592a50cbd21", { "gen_ai.operation.name": "invoke_agent" }],
    ["crewai", agentAttributes("crewai")],
  ])("names of operations, nodes, strategies and wrappers are no agents: %s", async (name, attributes) => {
    expect((await run([root(name, attributes), chat("a", "r", 5)])).agent).toBe("shop");
  });
});

const mcp = (name: string, method: string): Span =>
  span("m", "lost", name, 0, 4, { "mcp.method.name": method });

it.each(["initialize", "ping", "tools/list", "prompts/get", "resources/read"])(
  "a message of a protocol, whose enclosing span was lost, names no agent: %s",
  async (method) => {
    expect((await run([mcp(method, method), chat("a", "lost", 10)])).agent).toBe("shop");
  },
);

const alone = span("r", undefined, "chat small", 0, 90, {
  "gen_ai.operation.name": "chat",
  "gen_ai.response.finish_reasons": ["stop"],
  "gen_ai.request.model": "small",
});
const inService = async (service: string): Promise<AgentRun | undefined> =>
  (await replayed(document([alone], { resource: { "service.name": service } })))[0];

it.each(["unknown_service", "unknown_service:python3"])(
  "a run whose spans name no agent has none where an SDK named the service for want of a name: %s",
  async (service) => {
    const one = await inService(service);
    expect(one).toMatchObject({ agent: null, finalAgent: null, service });
    expect(one?.missing).toContainEqual(expect.objectContaining({ what: "agent" }));
  },
);

const asks = JSON.stringify([
  { role: "assistant", parts: [{ type: "tool_call", id: "c1", name: "look", arguments: {} }] },
]);
const look = (id: string, parent: string): Span =>
  span(id, parent, "execute_tool look", 30, 31, toolAttributes("look", "c1"));
const asked = (output: string): readonly Span[] => [
  agent("r", undefined, "clerk", 0, 90),
  chat("a", "r", 5, { "gen_ai.output.messages": output, "gen_ai.response.finish_reasons": ["tool_calls"] }),
  agent("u", "r", "porter", 20, 40),
  look("t", "u"),
];

it.each([
  ["belongs to the agent that requested it", [...asked(asks), chat("b", "r", 50)], "clerk"],
  [
    "belongs to the agent that runs it if nothing shows the request",
    [...asked("[]"), chat("b", "r", 50)],
    "porter",
  ],
  [
    "belongs to the agent that runs it if it asks a model, too",
    [...asked(asks), chat("b", "u", 35)],
    "porter",
  ],
])("a tool that an agent without a model call only runs: %s", async (_, spans, name) => {
  expect((await run(spans)).tools.map((tool) => tool.agent)).toEqual([name]);
});

const openlit = (input: object): Attributes => ({
  "gen_ai.operation.name": "invoke_workflow",
  "gen_ai.framework.pipeline.input_data": JSON.stringify(input),
});
const traceai = (input: object, output: object = {}): Attributes => ({
  "gen_ai.span.kind": "CHAIN",
  "input.value": JSON.stringify({ data: input }),
  "output.value": JSON.stringify(output),
});
const clerk = { clerk: { messages: ["How high?"] } };
it.each([
  ["openlit.instrumentation.haystack", "invoke_workflow pipeline", openlit(clerk), "clerk"],
  ["traceai_haystack", "Pipeline.run", traceai(clerk, { clerk: { messages: [] } }), "clerk"],
  ["traceai_haystack", "Pipeline.run", traceai(clerk, { clerk: { replies: [] } }), "shop"],
])(
  "a component of Haystack's pipeline that receives messages is the agent, unless it is a generator: %s, %s, %j: %s",
  async (scope, name, attributes, found) => {
    expect((await run([span("r", undefined, name, 0, 90, attributes), chat("a", "r", 5)], scope)).agent).toBe(
      found,
    );
  },
);

const around = (name: string): Span =>
  span("r", undefined, `${name}.workflow`, 0, 90, {
    "traceloop.span.kind": "workflow",
    "traceloop.workflow.name": name,
  });

it.each([
  ["orchard_guide", "orchard_guide"],
  ["OrderDesk", "OrderDesk"],
  ["gardener", "gardener"],
  ["answer_reader", "shop"],
  ["handle_request", "shop"],
  ["RunSupport", "shop"],
])(
  "a workflow around model calls gives the agent its name, unless it is named after an action: %s: %s",
  async (name, named) => {
    expect((await run([around(name), chat("c", "r", 10)])).agent).toBe(named);
  },
);

it.each([
  ["answer a skier", "shop"],
  ["order desk", "order desk"],
  ["OrderDesk", "OrderDesk"],
])("a step named %s around the calls: the agent is %s", async (name, named) => {
  const step = span("r", undefined, name, 0, 90, { "sentry.op": "function" });
  expect((await run([step, chat("c", "r", 10)])).agent).toBe(named);
});

it.each([
  ["SnowScoutAgent", "SnowScoutAgent"],
  ["Agent: 'keeper' generate", "keeper"],
  ['agent "night keeper"', "night keeper"],
  ["Agent: agent", "shop"],
  ["agency keeper", "shop"],
  ["HandleRequest", "shop"],
  ["AnswerQuery", "shop"],
  ["POST /ask", "shop"],
])("an application's own span named %s around the calls: the agent is %s", async (name, named) => {
  expect((await run([span("r", undefined, name, 0, 90), chat("c", "r", 10)])).agent).toBe(named);
});

describe("a name in an agent-name attribute", () => {
  it("counts without the framework's method after it", async () => {
    const one = await run([
      openinference("r", undefined, "desk", { "gen_ai.agent.name": "OrderDesk.run" }),
      chat("a", "r", 10),
    ]);
    expect(one.agent).toBe("OrderDesk");
  });

  it.each([
    ["counts", "Runs commands.", true],
    ["does not count", "", false],
  ])("%s as a usual name if the agent's description is %j", async (_, description, isName) => {
    const more = { "gen_ai.agent.name": "task", "gen_ai.agent.description": description };
    const one = await run([openinference("r", undefined, "invoke_agent task", more), chat("a", "r", 10)]);
    expect(one.agent === "task").toBe(isName);
  });
});
