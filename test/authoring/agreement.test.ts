import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { agreedPath } from "../../src/authoring/agreement/agreed-path.ts";
import { constantArguments } from "../../src/authoring/agreement/constant-arguments.ts";
import { commonFacts } from "../../src/authoring/agreement/facts.ts";
import { proposeSpec } from "../../src/authoring/agreement/proposed-spec.ts";
import { questionsOf } from "../../src/authoring/questions.ts";
import { checks } from "../../src/evaluate/checks/registry.ts";
import type { JsonValue } from "../../src/model/json.ts";
import { plainRun } from "../../src/model/plain-run.ts";
import type { AgentRun, ToolCall, Usage } from "../../src/model/run.ts";
import { createJudgeRun } from "../../src/pipeline/judge-run.ts";
import { replay } from "../../src/replay/replay.ts";
import { loadSpec } from "../../src/spec/load.ts";
import { runOf, type RunText, toolOf } from "../support/run-of.ts";

/** Different wordings of one correct answer: three for making a spec, further correct ones, and one in German. */
interface Wordings {
  readonly first: readonly string[];
  readonly further: readonly string[];
  readonly german: string;
}

const wordingsOf = JSON.parse(readFileSync("test/fixtures/good-wordings.json", "utf8")) as Readonly<
  Record<string, Wordings>
>;

const agents = [
  ["openai-agents-genai/parallel", "garden"],
  ["ai7-otel/parallel-failing", "weather"],
  ["agno-traceloop/two-steps", "berth"],
  ["openai-mlflow/parallel", "stock"],
  ["claude-agent-sdk-native/parallel", "stock"],
  ["crewai-openlit/parallel", "snow"],
  ["strands-native/parallel", "stock"],
  ["mastra-arize/parallel-failing", "weather"],
] as const;

async function recorded(recording: string): Promise<AgentRun> {
  const files = ["traces", "logs"].map((name) => `test/fixtures/recordings/${recording}/${name}.jsonl`);
  const runs: AgentRun[] = [];
  const config = { attributes: [], prices: {} };
  await replay(
    files.filter((file) => existsSync(file)),
    { config, stdin: process.stdin, onRun: (run) => runs.push(run) },
  );
  const [run, ...others] = runs;
  if (run === undefined || others.length > 0) throw new Error(`${recording}: ${runs.length} runs`);
  return plainRun(run);
}

/** The run with other words, and a little more or less of time and tokens. */
function again(run: AgentRun, answer: string, at: number): AgentRun {
  const factor = 1 + ((at % 5) - 2) / 20;
  return {
    ...withTokens(run, factor),
    runId: `${run.runId}-${at}`,
    answer,
    durationMs: Math.round(run.durationMs * factor),
  };
}

function withTokens(run: AgentRun, factor: number): AgentRun {
  const times = (value: number | null): number | null => (value === null ? null : Math.round(value * factor));
  const ofUsage = (usage: Usage): Usage => ({
    ...usage,
    input: times(usage.input),
    output: times(usage.output),
  });
  return {
    ...run,
    totalTokens: times(run.totalTokens),
    usage: ofUsage(run.usage),
    llm: run.llm.map((call) => ({ ...call, usage: ofUsage(call.usage) })),
  };
}

function withTools(run: AgentRun, change: (tools: readonly ToolCall[]) => readonly ToolCall[]): AgentRun {
  return { ...run, tools: change(run.tools) };
}

function swapped(tools: readonly ToolCall[]): readonly ToolCall[] {
  const at = tools.findIndex((call, place) => (tools[place + 1]?.name ?? call.name) !== call.name);
  const [call] = tools.slice(at, at + 1);
  return call === undefined ? tools : tools.toSpliced(at, 1).toSpliced(at + 1, 0, call);
}

const last = (tools: readonly ToolCall[]) => tools.slice(-1);
const withOtherDigits = (text: string) => text.replaceAll(/\d/g, (digit) => String((Number(digit) + 3) % 10));

const nextDigit = (digit: string) => String((Number(digit) + 1) % 10);

/** The number is one that stands alone, not a part of a name like M4. */
function withFirstNumber(run: AgentRun, change: (number: string) => string): AgentRun {
  return { ...run, answer: (run.answer ?? "").replace(/(?<![\w-])\d+(?:[.:]\d+)?/, change) };
}

type Fault = (run: AgentRun, wordings: Wordings) => AgentRun;

const withFalseLast = (tools: readonly ToolCall[]) => [
  ...tools.slice(0, -1),
  ...last(tools).map((call) => ({ ...call, arguments: falseArguments(call) })),
];
const stranger = { spanId: null, to: "Stranger", kind: "tool", inferred: false } as const;

function withTimeOut(tools: readonly ToolCall[]): readonly ToolCall[] {
  const at = tools.findIndex(({ error }) => error === null);
  return tools.map((call, place) =>
    place === at ? { ...call, error: "timed out", result: undefined } : call,
  );
}

const twice: Fault = (run) => ({
  ...withTools(run, (tools) => [...tools, ...tools]),
  llmCalls: run.llmCalls === null ? null : run.llmCalls * 2,
});

/** What may go wrong with an agent. Those that concern tools or facts have to fail the run. */
const faults: readonly (readonly [name: string, must: "fail" | "notice" | "may pass", make: Fault])[] = [
  ["an extra tool", "fail", (run) => withTools(run, (tools) => [...tools, toolOf("send_mail", 90)])],
  ["another order", "fail", (run) => withTools(run, swapped)],
  ["a wrong answer", "fail", (run) => ({ ...run, answer: "All is well, there is nothing to report." })],
  ["88 % more tokens", "notice", (run) => withTokens(run, 1.88)],
  ["a lost tool", "fail", (run) => withTools(run, (tools) => tools.slice(0, -1))],
  ["a wrong argument", "fail", (run) => withTools(run, withFalseLast)],
  ["a repeated tool", "fail", (run) => withTools(run, (tools) => [...tools, ...last(tools), ...last(tools)])],
  ["another hand-off", "fail", (run) => ({ ...run, handoffs: [{ ...stranger, from: run.agent }] })],
  ["a swallowed error", "fail", (run) => withTools(run, withTimeOut)],
  ["a refusal", "fail", (run) => ({ ...run, answer: "I am sorry, but I can not help with that." })],
  ["an empty answer", "fail", (run) => ({ ...run, answer: "" })],
  ["wrong numbers", "fail", (run) => ({ ...run, answer: withOtherDigits(run.answer ?? "") })],
  ["a digit more in front of a number", "fail", (run) => withFirstNumber(run, (number) => `1${number}`)],
  ["a digit more behind a number", "fail", (run) => withFirstNumber(run, (number) => `${number}0`)],
  ["a digit changed", "fail", (run) => withFirstNumber(run, (number) => number.replace(/\d$/, nextDigit))],
  ["an invented number", "fail", (run) => ({ ...run, answer: `${run.answer} A reminder costs 7.53 EUR.` })],
  ["another language", "may pass", (run, { german }) => ({ ...run, answer: german })],
  ["twice the calls", "fail", twice],
  ["twice the latency", "notice", (run) => ({ ...run, durationMs: run.durationMs * 2 })],
  ["a forbidden tool", "fail", (run) => withTools(run, (tools) => [toolOf("delete_all", 91), ...tools])],
];

function falseArguments({ arguments: given }: ToolCall): NonNullable<ToolCall["arguments"]> {
  if (typeof given !== "object" || given === null) return { unknown: true };
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key,
      typeof value === "number" ? value + 1 : `${JSON.stringify(value)}x`,
    ]),
  );
}

function judgeBy(text: string): (run: AgentRun) => string {
  const loaded = loadSpec({ file: "spec.yaml", text }, { checks });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const judge = createJudgeRun({
    specs: [loaded.spec],
    judgeSkipPolicy: { judge: "off" },
    engine: "test",
  });
  return (run) => judge(run).verdicts[0]?.outcome ?? "unmatched";
}

test.each(agents)(
  "the spec that three good runs of %s agree on notices faults, and passes further good runs",
  async (recording, name) => {
    const wordings = wordingsOf[name];
    if (wordings === undefined) throw new Error(`no wordings for ${name}`);
    const run = await recorded(recording);
    const good = wordings.first.map((answer, at) => again(run, answer, at));
    const [agent] = questionsOf(good).agents;
    if (agent === undefined) throw new Error("no question");
    const outcomeOf = judgeBy(proposeSpec(agent));

    const further = wordings.further.map((answer, at) => [answer, outcomeOf(again(run, answer, at + 3))]);
    expect(further.filter(([, outcome]) => outcome !== "pass")).toEqual([]);

    // Calls of one tool have no order of tools.
    const isOneTool = new Set(run.tools.map(({ name }) => name)).size < 2;
    const possible = faults.filter(([name]) => name !== "another order" || !isOneTool);
    const outcomes = possible.map(([name, must, make]) => ({
      name,
      must,
      outcome: outcomeOf(make(again(run, wordings.first[0] ?? "", 1), wordings)),
    }));
    const isNoticed = (outcome: string) => outcome === "fail" || outcome === "warn";
    expect(outcomes.filter(({ must, outcome }) => must === "fail" && outcome !== "fail")).toEqual([]);
    expect(outcomes.filter(({ must, outcome }) => must === "notice" && !isNoticed(outcome))).toEqual([]);
    expect(outcomes.filter(({ outcome }) => isNoticed(outcome)).length).toBeGreaterThanOrEqual(
      possible.length - 2,
    );
  },
);

test("an agent that hands over is held to its hand-offs", async () => {
  const run = await recorded("openai-agents-genai/handoff");
  const good = ["pH 5.9, slightly sour.", "Its pH is 5.9, a bit sour.", "Slightly sour: pH 5.9."];
  const [agent] = questionsOf(good.map((answer, at) => again(run, answer, at))).agents;
  if (agent === undefined) throw new Error("no question");
  const outcomeOf = judgeBy(proposeSpec(agent));
  const [handoff] = run.handoffs;
  if (handoff === undefined) throw new Error("no hand-off");

  expect(outcomeOf(again(run, "A pH of 5.9 is slightly sour.", 4))).toBe("pass");
  expect(outcomeOf({ ...run, handoffs: [{ ...handoff, to: "Stranger" }] })).toBe("fail");
  expect(outcomeOf({ ...run, handoffs: [handoff, { ...handoff, to: "Stranger" }] })).toBe("fail");
  expect(outcomeOf({ ...run, handoffs: [] })).toBe("fail");
});

describe("facts", () => {
  const none: RunText = { tools: [] };
  const order: RunText = { tools: [{ name: "find", result: { id: "A-1", by: "Anna", total: "12.50" } }] };
  const parcel: RunText = { tools: [{ name: "track", result: { carrier: "DHL" } }] };
  const items = "Invoice INV-2 has 2 items, paid in 3 parts.";
  const nouns = "Ihre Bestellung kommt am Montag mit der Post.";
  const turned = "Am Montag bringt die Post Ihre Bestellung.";
  test.each<[string, RunText, readonly string[], readonly string[]]>([
    [
      "a number, whatever its sign or unit",
      none,
      ["It is $12.50.", "12.50 USD", "You pay 12.50."],
      ["12.50"],
    ],
    ["amounts, with and without zero decimals", none, ["It is 200.00 EUR.", "It is 200 euros."], ["200"]],
    ["no number that differs", none, ["It took 3 days.", "It took 5 days."], []],
    ["no list mark", none, ["1. Restart\n2. Wait", "1. Stop\n2. Pause"], []],
    [
      "codes and addresses",
      none,
      ["Mail to a@b.example: X-77a1", "X-77a1, a@b.example"],
      ["a@b.example", "X-77a1"],
    ],
    ["quoted words", none, ['Press "Save as" now.', "Use “Save as”."], ["Save as"]],
    ["names that a tool returned", order, ["Anna paid.", "It was Anna who did."], ["Anna"]],
    ["short names that a tool returned", parcel, ["It comes with DHL.", "By DHL, The NEW way"], ["DHL"]],
    ["no short words otherwise", none, ["Pay in EUR, Sir.", "Sir, it is EUR."], []],
    ["names within sentences", none, ["The town is called Bern.", "It must be Bern."], ["Bern"]],
    ["no German nouns", none, [nouns, turned], []],
    [
      "the values of a structured answer",
      none,
      ['{"city":"Bern-1","ok":true}', '{"ok":true,"city":"Bern-1"}'],
      ["Bern-1"],
    ],
    ["of one run what its tools returned", order, ["Anna paid 12.50 for 99."], ["12.50", "Anna"]],
    [
      "a number with the word after it, where a code has the number too",
      none,
      [items, "INV-2: 2 items, 3 payments."],
      ["INV-2", "3", "2 items"],
    ],
    ["nothing where an answer is unknown", none, ["It is 5.", null as unknown as string], []],
  ])("are %s", (_, run, answers, facts) => {
    const runs = answers.map((answer) => runOf({ ...run, answer }));
    expect(commonFacts(runs).facts).toEqual(facts);
  });

  test("are not what the question says, unless there is nothing else", () => {
    const asked = { query: "Where is A-1001?" };
    const ofAnswers = (...answers: readonly string[]) =>
      commonFacts(answers.map((answer) => runOf({ ...asked, answer }))).facts;
    expect(ofAnswers("A-1001 comes on day 12.", "On day 12 comes A-1001.")).toEqual(["12"]);
    expect(ofAnswers("A-1001 is here.", "Here it is: A-1001.")).toEqual(["A-1001"]);
  });

  test("are one-word values that tools returned: a state, but no word of a returned sentence", () => {
    const ofResult = (result: JsonValue, ...answers: readonly string[]) =>
      commonFacts(
        answers.map((answer) =>
          runOf({ query: "Where is order A17?", answer, tools: [{ name: "orders", result }] }),
        ),
      ).facts;
    const order = { id: "A17", status: "shipped", note: "handed to the carrier" };
    expect(ofResult(order, "Order A17 is shipped.", "Shipped: order A17.")).toEqual(["shipped"]);
    expect(ofResult(JSON.stringify(order), "Order A17 was shipped by the carrier.")).toEqual(["shipped"]);
    expect(ofResult(order, "Order A17 is on its way.", "Order A17 is shipped.")).toEqual(["A17"]);
    expect(ofResult("It was shipped", "A17 is shipped.", "A17 was shipped.")).toEqual(["A17"]);
  });

  test("are joined by words of all answers that say something", () => {
    const answers = [
      "The washer is neither in stock nor in the manual.",
      "Manual and stock list no such washer.",
    ];
    expect(commonFacts(answers.map((answer) => runOf({ answer }))).words).toEqual([
      "manual",
      "washer",
      "stock",
    ]);
  });
});

describe("the path", () => {
  const tool = (name: string, startUnixMs: number, args: JsonValue = {}): Partial<ToolCall> => ({
    name,
    startUnixMs,
    durationMs: 10,
    arguments: args,
  });
  const inOrder = [tool("a", 0), tool("b", 20)];
  const parallel = [tool("a", 0), tool("b", 5)];
  const ofAll = { max_tool_errors: 0, max_handoff_count: 0 };
  const sequence = { expected_tool_sequence: ["a", "b"], ...ofAll };
  const anyOrder = { ...sequence, sequence_mode: "same-calls" };
  const ofTwo = [tool("a", 0), tool("a", 20)];
  const loops = { expected_tools: ["a"], max_loops: 1, ...ofAll };
  test.each<[string, readonly (readonly Partial<ToolCall>[])[], object]>([
    ["the order that never varied", [inOrder, inOrder], sequence],
    ["the calls in any order where it did", [inOrder, [tool("b", 0), tool("a", 20)]], anyOrder],
    ["the calls in any order where they ran together", [parallel, parallel], anyOrder],
    ["their order, too, where three runs had the same", [parallel, parallel, parallel], sequence],
    ["the tools of all where calls varied", [inOrder, ofTwo], loops],
    ["that no tool is used", [[], []], { expected_tools: [], max_handoff_count: 0 }],
  ])("holds %s", (_, tools, path) => {
    expect(agreedPath(tools.map((some) => runOf({ tools: some })))).toEqual(path);
  });

  const q = [tool("a", 0, { q: "how are parcels returned" })];
  const both = [tool("a", 0, { of: "x", id: 1 }), tool("a", 20, { of: "x", id: 2 })];
  const [one, two, ofX] = [{ includes: { id: 1 } }, { includes: { id: 2 } }, { includes: { of: "x" } }];
  const at = (second: number) => [tool("a", 0, { id: 1, at: second })];
  test.each<[string, readonly (readonly Partial<ToolCall>[])[], readonly object[]]>([
    ["every call, what is the same in all", [at(5), at(6)], [one]],
    [
      "some call, what is the same in its place",
      [both, both],
      [ofX, { ...one, some: true }, { ...two, some: true }],
    ],
    ["no text that the model wrote, of few runs", [q, q], []],
    ["nothing where calls vary in number", [[tool("a", 0, { id: 1 })], []], []],
  ])("asserts of %s", (_, tools, assertions) => {
    expect(constantArguments(tools.map((some) => runOf({ tools: some })))).toEqual(
      assertions.map((one) => ({ kind: "tool", name: "a", field: "arguments", ...one })),
    );
  });
});

test("tools on offer that no run used are named in a comment, and what is proposed passes its runs", () => {
  const offered = [{ name: "find" }, { type: "function", function: { name: "refund" } }];
  const runs = ["It is 5.", "5 it is."].map((answer) =>
    runOf({ answer, tools: ["find"], toolDefinitions: offered }),
  );
  const [agent] = questionsOf(runs).agents;
  if (agent === undefined) throw new Error("no question");
  const text = proposeSpec(agent);
  expect(text).toContain(
    "# These tools are available but were never used; add to path if needed: forbidden_tools: [refund]",
  );
  expect(runs.map(judgeBy(text))).toEqual(["pass", "pass"]);
});

const rate: RunText = { tools: [{ name: "find", result: { rate: 0.5 } }] };
const total: RunText = { tools: [{ name: "find", result: { total: 5.5 } }] };
const noTools: RunText = { tools: [] };
test.each<[string, RunText, readonly string[], object?]>([
  ["what tools return", total, ["It is 5.5.", "5.5"], {}],
  [
    "numbers that all state and no tool returns, as known",
    rate,
    ["It is 7 EUR.", "7 EUR at 0.5"],
    { known: ["7"] },
  ],
  ["numbers of the instructions, as known", noTools, ["9 to 18", "From 9 to 18."], { known: ["9", "18"] }],
  ["nothing where runs differ in it", { tools: ["find"] }, ["It is 7.", "7, not 8."]],
  ["nothing where no evidence and no number is", noTools, ["Hello, Anna.", "Good day, Anna."]],
])("an answer is grounded in %s", (_, run, answers, rule) => {
  const [agent] = questionsOf(answers.map((answer) => runOf({ ...run, answer }))).agents;
  if (agent === undefined) throw new Error("no question");
  expect(parse(proposeSpec(agent)).queries[0].correctness?.grounded).toEqual(
    rule === undefined ? undefined : { in: "answer", ...rule },
  );
});

test("query ids that the runs name are kept, and severity names only checks of a query", () => {
  const ask = (query: string, id: string | undefined, tools: RunText["tools"] = ["find"]) =>
    runOf({
      query,
      answer: "It is 5.",
      tools,
      attributes: id === undefined ? {} : { "tracejury.query.id": id },
    });
  const spec = (...runs: readonly AgentRun[]) => parse(proposeSpec(questionsOf(runs).agents[0] ?? failed()));
  const ids = (...runs: readonly AgentRun[]) => spec(...runs).queries.map(({ id }: { id: string }) => id);
  expect(ids(ask("When is it due?", "due"), ask("When is it due?", "due"))).toEqual(["due"]);
  expect(ids(ask("When is it due?", "due"), ask("When is it due?", "when"))).toEqual(["when-is-it-due"]);
  expect(ids(ask("When is it due?", "due"), ask("When is it due?", undefined))).toEqual(["when-is-it-due"]);
  expect(ids(ask("When is it due?", "q"), ask("Who has it?", "q"))).toEqual(["when-is-it-due", "who-has-it"]);
  expect(ids(ask("When is it due?", "a/../b"))).toEqual(["when-is-it-due"]);
  expect(spec(ask("When is it due?", "due"), ask("When is it due?", "due")).severity).toEqual({
    path: "fail",
  });
  const varied = spec(ask("Who?", "w", ["find"]), ask("Who?", "w", ["find", "find"]));
  expect(varied.severity).toEqual({ path: "fail", max_tool_calls: "warn", max_loops: "warn" });
});

function failed(): never {
  throw new Error("no question");
}

test("nothing is expected of a question of which no run ended well", () => {
  const [agent] = questionsOf([runOf({ status: "error", error: "out of memory" })]).agents;
  if (agent === undefined) throw new Error("no question");
  const text = proposeSpec(agent);
  expect(text).toContain("# This query has no good run");
  expect(parse(text).queries).toEqual([{ id: "where-is-my-order", query: "Where is my order?" }]);
});
