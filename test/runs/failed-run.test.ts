import { describe, expect, test } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import {
  agentSpan,
  asks,
  chatAttributes,
  chatSpan,
  inputMessages,
  outputMessages,
  tokenCounts,
  toolSpan,
  words,
} from "../support/genai.ts";
import { type Attributes, document, event, span, type Span } from "../support/otlp.ts";
import { replayedOne } from "../support/replayed.ts";

const noFile = "ENOENT: no such file or directory, open 'config.json'";
const question = words("user", "What is in the config?");
const answer = words("assistant", "The model is gpt-4o-mini.");
const requested = asks("c1", "read_file", { path: "config.json" });

const failedWith = (message: string) => ({ status: { code: 2, message } });
const threw = (message: string) => ({
  ...failedWith(message),
  events: [event("exception", { "exception.type": "Error", "exception.message": message })],
});

type More = Readonly<Record<string, unknown>>;

const agent = (end: number, attributes: Attributes = {}, more: More = {}): Span =>
  agentSpan("root", undefined, "dev-agent", 0, end, attributes, more);
const step = (id: string, at: number, end: number, more: More = {}): Span =>
  span(id, "root", id, at, end, { "openinference.span.kind": "CHAIN" }, more);
const chat = (id: string, at: number, said: object, parent = "root", more: More = {}): Span =>
  chatSpan(id, parent, at, { ...inputMessages(question), ...outputMessages(said) }, more);
const tool = (id: string, at: number, parent = "root", more: More = {}): Span =>
  toolSpan(id, parent, "read_file", at, {}, more);

const runOf = (...spans: readonly Span[]): Promise<AgentRun> => replayedOne(document(spans));

test("a call failed if the event of its exception is named after the operation, and no status is set", async () => {
  const refused = event("gen_ai.client.operation.exception", { "exception.message": "refused" }, 15);
  const run = await runOf(
    agent(70),
    chatSpan("a", "root", 10, inputMessages(question), { events: [refused] }),
  );

  expect(run).toMatchObject({ status: "error", error: "refused" });
});

describe("a tool's error that the agent handled", () => {
  test("is no error of the run where a processor copies it onto the steps and the root", async () => {
    const copied = failedWith(noFile);
    const run = await runOf(
      agent(70, outputMessages(answer), copied),
      step("step 1", 1, 20, copied),
      chat("a", 2, requested, "step 1"),
      tool("t", 10, "step 1", threw(noFile)),
      step("step 2", 30, 60, copied),
      chat("b", 31, answer, "step 2", copied),
    );

    expect(run).toMatchObject({ status: "ok", error: null, answer: "The model is gpt-4o-mini." });
    expect(run.tools).toMatchObject([{ name: "read_file", error: noFile }]);
  });

  test("does not hide another error of the root", async () => {
    const run = await runOf(
      agent(70, {}, failedWith("the disk is full")),
      chat("a", 2, requested),
      tool("t", 10, "root", threw(noFile)),
      chat("b", 31, answer),
    );

    expect(run).toMatchObject({ status: "error", error: "the disk is full" });
  });
});

describe("the answer of a run that failed", () => {
  test("is what its last call answered, where the root failed after that", async () => {
    const run = await runOf(agent(70, {}, threw("could not save the session")), chat("a", 2, answer));
    expect(run).toMatchObject({
      status: "error",
      error: "could not save the session",
      answer: "The model is gpt-4o-mini.",
    });
  });

  test.each([
    ["its last call failed", [chat("a", 2, requested), chatFailed("b", 30)]],
    ["it stopped at a tool that failed", [chat("a", 2, requested), tool("t", 10, "root", threw(noFile))]],
    ["the root returned the error's own words", []],
  ])("is none where %s", async (_, spans) => {
    const said = spans.length === 0 ? { "output.value": noFile, "openinference.span.kind": "AGENT" } : {};
    const run = await runOf(agent(70, said, threw(noFile)), ...spans);
    expect(run).toMatchObject({ status: "error", answer: null });
  });
});

function chatFailed(id: string, at: number): Span {
  return chatSpan(id, "root", at, {}, threw("429 quota exceeded"));
}

describe("the text of a run's error", () => {
  test("is that of the call that failed", async () => {
    const run = await runOf(agent(70, {}, threw("run failed: 429")), chatFailed("a", 2));
    expect(run.error).toBe("429 quota exceeded");
  });

  test("is the root's where the call has only a type's name", async () => {
    const attributes = {
      ...chatAttributes("m"),
      "error.type": "invalid_request_error",
    };
    const call = span("a", "root", "chat m", 2, 8, attributes, { status: { code: 2 } });
    const run = await runOf(agent(70, {}, failedWith("the prompt is too long")), call);
    expect(run.error).toBe("the prompt is too long");
  });
});

const broke = "the stream broke";
const failedTool = tool("t", 1, "root", threw(noFile));
const last = (at: number, message: string) => chat("a", at, answer, "root", failedWith(message));
test.each<[string, readonly Span[], "ok" | "error"]>([
  ["fails the run after its first words", [last(2, broke)], "error"],
  ["fails the run, whatever the root claims", [chat("a", 2, answer, "root", threw(broke))], "error"],
  ["fails the run after a tool that failed otherwise", [failedTool, last(9, broke)], "error"],
  ["does not fail the run where another call answered later", [last(2, broke), chat("b", 9, answer)], "ok"],
  ["does not fail the run by the copy of a tool's error", [failedTool, last(9, noFile)], "ok"],
])("a last model call that failed: %s", async (_, spans, status) => {
  const run = await runOf(agent(70, {}, { status: { code: 1 } }), ...spans);
  expect(run).toMatchObject({ status, error: status === "ok" ? null : broke });
});

test("a guardrail that tripped ends the run with an error", async () => {
  const tripped = span("g", "root", "guardrail topics", 1, 2, {
    "gen_ai.operation.name": "guardrail_check",
    "gen_ai.guardrail.name": "topics",
    "gen_ai.guardrail.triggered": true,
  });
  expect(await runOf(agent(90), tripped)).toMatchObject({
    status: "error",
    guardrails: [{ name: "topics", triggered: true }],
  });
});

describe("a run whose last step is a failed tool", () => {
  const ok = { status: { code: 1 } };
  const failing = (at: number) => tool("t", at, "root", failedWith("permission denied"));
  const words = outputMessages(answer);
  test.each<[string, readonly Span[], "ok" | "error" | null]>([
    ["failed, if nothing comes after it", [agent(20), chat("a", 1, requested), failing(8)], "error"],
    ["failed, whatever the root claims", [agent(20, {}, ok), chat("a", 1, requested), failing(8)], "error"],
    [
      "has no status without a model call, because one may have followed",
      [agent(20, {}, ok), failing(8)],
      null,
    ],
    ["is fine, if the root has an answer", [agent(20, words, ok), chat("a", 1, requested), failing(8)], "ok"],
    [
      "is fine, if a call follows",
      [agent(20), chat("a", 1, requested), failing(8), chat("b", 14, answer)],
      "ok",
    ],
    [
      "is fine, if another tool follows",
      [agent(20, {}, ok), chat("a", 1, requested), failing(8), tool("u", 14)],
      "ok",
    ],
  ])("%s", async (_, spans, status) => {
    expect((await runOf(...spans)).status).toBe(status);
  });
});

const instrumentation =
  '  File "/lib/acme/instrumentation/agents/wrapper.py", line 53, in wrapper\n    name = value.name';
const program = '  File "/app/desk.py", line 7, in answer\n    name = value.name';
const ended = "AttributeError: 'str' object has no attribute 'name'\n";

const ownFolder = '  File "/app/instrumentation/desk.py", line 7, in answer\n    name = value.name';
test.each<[string, readonly string[], string, string?]>([
  ["is no failure of the run", [instrumentation, ended], "ok"],
  ["is a failure if the program called the instrumentation", [program, instrumentation, ended], "error"],
  ["is a failure if the instrumentation called the program", [instrumentation, program, ended], "error"],
  ["is a failure if the folder is the program's own", [ownFolder, ended], "error"],
  ["is a failure if the stack was cut off", [instrumentation, instrumentation], "error"],
  [
    "is a failure if it is no mistake of a program",
    [instrumentation, "TimeoutError: late"],
    "error",
    "TimeoutError",
  ],
])(
  "an exception whose stack has only frames of an instrumentation: %s",
  async (_, stack, status, type = "AttributeError") => {
    const attributes = {
      "exception.type": type,
      "exception.message": "'str' object has no attribute 'name'",
      "exception.stacktrace": ["Traceback (most recent call last):", ...stack].join("\n"),
    };
    const failed = { status: { code: 2 }, events: [event("exception", attributes)] };
    const words = outputMessages(answer);
    expect((await runOf(agent(20, words, failed), chat("a", 1, answer))).status).toBe(status);
  },
);

test.each([
  ["is no completion in an agent that failed", failedWith("The request was refused."), 1],
  ["is an empty answer in an agent that did not fail", {}, 2],
])("a step without any output %s", async (_, more, calls) => {
  const typed = (type: string, attributes: Attributes = {}) => ({ "mastra.span.type": type, ...attributes });
  const answers = (text: string, toolCalls: readonly object[] = []) => ({
    "mastra.model_step.output": JSON.stringify({ text, toolCalls }),
  });
  const asked = { toolCallId: "c1", toolName: "read_file", args: { path: "config.json" } };
  const counts = tokenCounts(20, 4);
  const generation = typed("model_generation", { "gen_ai.request.model": "gpt-4o-mini", ...counts });

  const run = await runOf(
    agent(70, typed("agent_run"), more),
    span("generation", "root", "chat gpt-4o-mini", 1, 60, generation),
    span("step 1", "generation", "model_step", 2, 20, typed("model_step", answers("", [asked]))),
    tool("t", 10, "step 1"),
    span("step 2", "generation", "model_step", 30, 50, typed("model_step", answers(""))),
  );

  expect(run).toMatchObject({ llmCalls: calls, totalTokens: 24 });
  expect(run.tools).toMatchObject([{ name: "read_file" }]);
});

test.each([
  ["ends the agent's span: the run failed", 1995, "error"],
  ["has been handled if the agent's span goes on", 5, "ok"],
])("an exception without a status %s", async (_, at, status) => {
  const refused = { "exception.type": "Refused", "exception.message": "400: refused" };
  const words = outputMessages(answer);
  const run = await runOf(
    agent(2000, words, { events: [event("exception", refused, at)] }),
    chat("a", 10, answer),
  );
  expect(run.status).toBe(status);
});
