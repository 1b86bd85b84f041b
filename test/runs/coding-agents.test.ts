import { describe, expect, it } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import {
  agentSpan,
  chatAttributes,
  chatSpan,
  inputMessages,
  outputMessages,
  tokenCounts,
  toolAttributes,
  toolSpan,
} from "../support/genai.ts";
import { type Attributes, document, event, log, span, type Span } from "../support/otlp.ts";
import { replayed, replayedOne } from "../support/replayed.ts";

/** Kinds that recordings of coding agents showed. */

const json = JSON.stringify;
const text = (content: string) => ({ type: "text", content });
const says = (...parts: unknown[]) => [{ role: "assistant", parts }];
const asks = (name: string, args: unknown) => ({
  type: "tool_call",
  id: `id-${name}`,
  name,
  arguments: args,
});

const agent = (more: Attributes = {}): Span => agentSpan("r", undefined, "keeper", 0, 99, more);
const call = (id: string, at: number, output: readonly unknown[], more: Attributes = {}): Span =>
  chatSpan(id, "r", at, { ...tokenCounts(10, 2), ...outputMessages(...output), ...more });
const tool = (name: string, at: number, more: Attributes = {}): Span =>
  toolSpan(`t${name}`, "r", name, at, { ...toolAttributes(name, `id-${name}`), ...more });

const runOf = (...spans: Span[]): Promise<AgentRun> => replayedOne(document(spans));

const words = "I look at the lamps.";
it("the words beside a tool request are no answer after the tool ran, although the agent's span repeats them", async () => {
  const output = says(text(words), asks("lamps", { lamp: "east" }));
  const { answer } = await runOf(
    agent({ "gen_ai.output.messages": json(says(text(words))) }),
    call("a", 1, output),
    tool("lamps", 10),
  );
  expect(answer).toBeNull();
});

it.each([
  ["a sentence counts once", ["Two lamps are lit.", "Two lamps are lit."], "Two lamps are lit."],
  ["equal pieces of a streamed answer count twice", ["1", "1"], "1\n1"],
  ["different sentences stay", ["East is lit.", "West is dark."], "East is lit.\nWest is dark."],
])("a part that is recorded twice: %s", async (_, parts, answer) => {
  const run = await runOf(agent(), call("a", 1, says(...parts.map(text))));
  expect(run.answer).toBe(answer);
});

describe("a call's span that was begun anew", () => {
  const bare = (from: number, to: number): Span =>
    span("b", "r", "chat small", from, to, {
      ...chatAttributes("small"),
      "gen_ai.input.messages": json([{ role: "user", parts: [text("Is it lit?")] }]),
    });
  it("is one call with the span that follows at once", async () => {
    const { llmCalls } = await runOf(agent(), bare(1, 10), call("a", 10, says(text("Yes, it is lit."))));
    expect(llmCalls).toBe(1);
  });
  it("is a call of its own if time passes", async () => {
    const { llmCalls } = await runOf(agent(), bare(1, 10), call("a", 30, says(text("Yes, it is lit."))));
    expect(llmCalls).not.toBe(1);
  });
});

it.each([
  ["denied", false],
  ["execution_denied", false],
  ["rejected", false],
  ["permission_denied", true],
])("a tool that failed with %s ran: %s", async (type, ran) => {
  const spans = [
    agentSpan("r", undefined, "coder", 0, 90),
    toolSpan(
      "t",
      "r",
      "shell",
      10,
      { "error.type": type },
      { status: { code: 2, message: "no permission" } },
    ),
  ];
  const [run] = await replayed(document(spans));
  expect(run?.tools).toMatchObject([{ name: "shell", error: "no permission", executed: ran }]);
});

it("an event that the adapter of a coding agent does not declare is not an answer: it describes the program", async () => {
  const scope = { name: "com.anthropic.claude_code.events" };
  const swept = log("r", undefined, "claude_code.retention_sweep", {
    "event.name": "retention_sweep",
    result: "complete",
  });
  const interaction = span("r", undefined, "claude_code.interaction", 0, 99, {
    "span.type": "interaction",
    user_prompt: "Is it lit?",
  });
  const { answer } = await replayedOne(
    document([interaction], { scope: "com.anthropic.claude_code.tracing" }),
    { resourceLogs: [{ resource: {}, scopeLogs: [{ scope, logRecords: [swept] }] }] },
  );
  expect(answer).toBeNull();
});

describe("a refused request below a program's span", () => {
  const question = [{ role: "user", parts: [text("Is it lit?")] }];
  const answered = says(text("It is lit."));
  const refused = { status: { code: 2, message: "Rate limit reached" } };
  /** One agent's span for each request; `output` is null for a request that was refused. */
  const runsOf = (
    conversation: Record<string, string>,
    ...steps: { at: number; input?: unknown[]; output: unknown[] | null }[]
  ): Promise<AgentRun[]> =>
    replayed(
      document([
        span("s", undefined, "Session.prompt", 0, 400_000),
        ...steps.flatMap(({ at, input = question, output }) => [
          agentSpan(`r${at}`, "s", "keeper", at, at + 9, conversation, output === null ? refused : {}),
          chatSpan(
            `c${at}`,
            `r${at}`,
            at + 1,
            {
              ...inputMessages(...input),
              ...(output === null ? {} : outputMessages(...output)),
            },
            output === null ? refused : {},
          ),
        ]),
      ]),
    );
  const session = { "gen_ai.conversation.id": "c-7" };

  it.each([
    ["without a conversation's id", {}, { at: 20, output: answered }],
    ["after a longer pause than a repetition has", session, { at: 200_000, output: answered }],
    [
      "if the question follows an answer",
      session,
      { at: 20, input: [...question, ...answered, ...question], output: answered },
    ],
  ])("is a run of its own %s", async (_, conversation, next) => {
    const runs = await runsOf(conversation, { at: 1, output: null }, next);
    expect(runs).toMatchObject([{ status: "error" }, { status: "ok" }]);
  });

  it("is not repeated by the same question after the answer", async () => {
    const runs = await runsOf(
      session,
      { at: 1, output: null },
      { at: 20, output: answered },
      { at: 40, output: answered },
    );
    expect(runs.length).toBe(2);
  });
});

describe("a stream that broke off in a trace of its own", () => {
  const question = [{ role: "user", parts: [text("Is it lit?")] }];
  const begun = says(text("I look at the"));
  const answered = says(text("It is lit."));
  const traceOf = (at: number, more: Attributes, input: unknown[]): object => {
    const session = { "gen_ai.conversation.id": "c-8", ...inputMessages(...input) };
    return document([chatSpan(`c${at}`, undefined, at, { ...session, ...more }, { trace: `t${at}` })]);
  };
  const repeated = { ...tokenCounts(10, 2), ...outputMessages(...answered) };

  it.each([
    ["is a run of its own if no tokens are recorded", outputMessages(...begun), question, 2],
    [
      "joins its repetition if its tokens are zero",
      { ...tokenCounts(0, 0), ...outputMessages(...begun) },
      question,
      1,
    ],
    [
      "is a run of its own if the user asks again",
      { ...tokenCounts(0, 0), ...outputMessages(...begun) },
      [...question, ...begun, ...question],
      2,
    ],
    [
      "is a run of its own if it is an answer",
      { ...tokenCounts(9, 3), ...outputMessages(...begun) },
      question,
      2,
    ],
  ])("%s", async (_, first, input, count) => {
    const runs = await replayed(traceOf(1, first, question), traceOf(20, repeated, input));
    expect(runs.map(({ answer }) => answer).at(-1)).toBe("It is lit.");
    expect(runs.map(({ llmCalls }) => llmCalls)).toEqual(Array.from({ length: count }, () => 1));
  });
});

it("a file of opencode that does not exist is no failed run beside the agent's run", async () => {
  const missing = "NotFound: FileSystem.readFile (/app/data/account.json)";
  const lookup = (name: string): object =>
    document([
      span(
        "f",
        undefined,
        name,
        0,
        2,
        {},
        {
          traceId: "b".repeat(32),
          status: { code: 2, message: missing },
          events: [event("exception", { "exception.type": "NotFound", "exception.message": missing })],
        },
      ),
    ]);
  const run = document([agent(), call("a", 1, says(text("Two lamps.")))]);
  const statuses = async (name: string): Promise<(string | null)[]> =>
    (await replayed(run, lookup(name))).map(({ status }) => status);
  expect(await statuses("FileSystem.readJson")).toEqual(["ok"]);
  expect(await statuses("check input")).toHaveLength(2);
});

it("the target of a hand-off is in the argument agent", async () => {
  const args = { agent: "scout", task: "Count." };
  const run = await runOf(
    agent(),
    call("a", 1, says(asks("task", args))),
    tool("task", 10, { "gen_ai.tool.call.arguments": json(args) }),
    call("c", 20, says(text("It counted three."))),
  );
  expect(run.handoffs.map(({ to }) => to)).toEqual(["scout"]);
  expect(run.tools).toEqual([]);
});

describe("a tool that is called through another one", () => {
  const asked = { name: "web_fetch", arguments: { url: "https://example.org" } };
  const through = (args: unknown, executed: string): Promise<AgentRun> =>
    runOf(
      agent(),
      call("a", 1, says(asks("tool_call", args))),
      toolSpan("t", "r", executed, 10, {
        ...toolAttributes(executed, "id-tool_call"),
        "gen_ai.tool.call.arguments": json(asked.arguments),
      }),
      call("c", 20, says(text("A comet passes."))),
    );
  const used = ({ tools }: AgentRun): unknown => tools.map((one) => [one.name, one.arguments]);

  it("has its own name and arguments", async () => {
    const run = await through(asked, "web_fetch");
    expect(used(run)).toEqual([["web_fetch", asked.arguments]]);
    expect(run.tools.map((tool) => tool.through)).toEqual(["tool_call"]);
  });

  it("keeps the requested name if the request does not contain the executed one", async () => {
    expect(used(await through(asked, "run"))).toEqual([["tool_call", asked]]);
  });

  it("keeps the requested name if only an argument of another kind has the executed one", async () => {
    const command = { command: "ls", cwd: "/harbour" };
    expect(used(await through(command, "ls"))).toEqual([["tool_call", command]]);
    const named = { name: "web_fetch", note: "short" };
    expect(used(await through(named, "web_fetch"))).toEqual([["tool_call", named]]);
  });

  it("is named by the key of a tool", async () => {
    const args = { server: "pages", tool: "web_fetch", input: asked.arguments };
    expect(used(await through(args, "web_fetch"))).toEqual([["web_fetch", asked.arguments]]);
  });
});

const messages = (content: string): string =>
  json([
    { role: "user", parts: [text("How many nights?")] },
    { role: "assistant", parts: [asks("nights", {})] },
    { role: "tool", parts: [{ type: "tool_call_response", id: "id-nights", response: content }] },
  ]);
const nights = `${"a clear night. ".repeat(39)}a clear night.`;

it("a call whose span has truncated messages has the messages of its log record, which are complete", async () => {
  const details = log(
    "c",
    "gen_ai.client.inference.operation.details",
    "",
    { "gen_ai.input.messages": messages(nights) },
    21,
  );
  const spans = [
    agent(),
    call("a", 1, says(asks("nights", {}))),
    tool("nights", 10),
    call("c", 20, says(text("Forty.")), {
      "gen_ai.input.messages": `${messages(nights).slice(0, 400)}...[TRUNCATED: original length 900]`,
    }),
  ];
  const { tools } = await replayedOne(document(spans), {
    resourceLogs: [{ resource: {}, scopeLogs: [{ scope: { name: "agent" }, logRecords: [details] }] }],
  });
  expect(tools.map(({ result }) => result)).toEqual([nights]);
});

describe("a session that a background task's notification continues", () => {
  const notified = (...spans: Span[]): object =>
    document([
      agent({ "input.value": "<task-notification>\n<task-id>7</task-id>\n</task-notification>" }),
      call("a", 1, says(asks("shell", { command: "rm -r dome" }))),
      ...spans,
      call("c", 20, says(text("It is done."))),
    ]);

  it("has no run of its own for the notification", async () => {
    expect(await replayed(notified())).toEqual([]);
  });

  it("has one if a tool ran", async () => {
    const { tools } = await replayedOne(notified(tool("shell", 10)));
    expect(tools.map(({ name }) => name)).toEqual(["shell"]);
  });
});
