import { describe, expect, it, test } from "vitest";
import { Assembler } from "../../src/assemble/assembler.ts";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { batchTraceIds } from "../../src/journal/records/batch-traces.ts";
import { growthOf } from "../support/growth.ts";
import { batchIn } from "../support/runs.ts";
import { chatAttributes, outputMessages, tokenCounts } from "../support/genai.ts";
import { type Attributes, document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";
import {
  requestRecord,
  responseRecord,
  sessionDocument as records,
  sessionRecord as record,
  toolRecord,
  turnNotations,
} from "../support/session-records.ts";

/** Agents that send log records and no spans: each record names a session, and none a trace. */

const model = "gpt-4o-mini";

/** The program's own event, and that of the GenAI conventions, which alone has the words. */
function endedTwice(at: number, input: number, output: number, words: Attributes = {}) {
  return [
    responseRecord(at, input, output),
    record("gen_ai.client.inference.operation.details", at + 1, {
      "gen_ai.request.model": model,
      ...tokenCounts(input, output),
      ...words,
    }),
  ];
}

const answer = { role: "assistant", parts: [{ type: "text", content: "Two lines." }], finish_reason: "stop" };

const notations = {
  ...turnNotations,
  "two events about the end of each call": (question: string, at: number) => [
    record("coder.user_prompt", at, { prompt: question }),
    ...endedTwice(at + 20, 100, 8),
    toolRecord(at + 40),
    ...endedTwice(at + 60, 120, 5, outputMessages(answer)),
  ],
};

describe.each(Object.entries(notations))("log records without spans: %s", (_, turn) => {
  it("are a run", async () => {
    const [run, ...others] = await replayed(records(turn("How long are the notes?", 0)));
    expect(others).toEqual([]);
    expect(run).toMatchObject({
      agent: "coder",
      query: "How long are the notes?",
      answer: "Two lines.",
      status: "ok",
      llmCalls: 2,
      models: [model],
      conversationId: "s1",
    });
    expect(run?.usage).toMatchObject({ input: 220, output: 13 });
    expect(run?.tools).toMatchObject([{ name: "count", arguments: { file: "notes.txt" }, error: null }]);
  });

  it("begin the next run with the next prompt", async () => {
    const all = [...turn("How long are the notes?", 0), ...turn("And the plan?", 1000)];
    const runs = await replayed(records(all));
    expect(runs.map(({ query }) => query)).toEqual(["How long are the notes?", "And the plan?"]);
    expect(new Set(runs.map(({ runId }) => runId)).size).toBe(2);
  });

  it("are read alike in any order and over any requests", async () => {
    const all = turn("How long are the notes?", 0);
    const [whole] = await replayed(records(all));
    const [parts] = await replayed(...all.toReversed().map((one) => records([one])));
    expect(parts?.runId).toBe(whole?.runId);
    expect(parts?.tools).toEqual(whole?.tools);
    expect(parts?.answer).toBe(whole?.answer);
  });

  it("are no run of their own in a service that sends spans", async () => {
    const spans = document(
      [span("r", undefined, "invoke_agent clerk", 0, 90, { "gen_ai.agent.name": "clerk" })],
      {
        resource: { "service.name": "coder" },
      },
    );
    const runs = await replayed(records(turn("How long are the notes?", 0)), spans);
    expect(runs.map(({ agent }) => agent)).toEqual(["clerk"]);
  });

  it.each([
    ["s2", ["clerk", "coder"]],
    ["s1", ["clerk"]],
  ])(
    "are a run of their own only if no span names their session, as if spans name session %s",
    async (session, agents) => {
      const attributes = { "gen_ai.agent.name": "clerk", "session.id": session };
      const spans = document([span("r", undefined, "invoke_agent clerk", 5000, 90, attributes)], {
        resource: { "service.name": "coder" },
      });
      const both = [records(turn("How long are the notes?", 0)), spans];
      for (const order of [both, both.toReversed()]) {
        const runs = await replayed(...order);
        expect(new Set(runs.map(({ agent }) => agent))).toEqual(new Set(agents));
      }
    },
  );
});

describe("a record without a trace that names a span's call and session", () => {
  const call = (id: string, parent: string, start: number, attributes: Attributes = {}) =>
    span(id, parent, `chat ${model}`, start, start + 20, {
      ...chatAttributes(model),
      ...tokenCounts(100, 8),
      "gen_ai.response.id": `resp_${id}`,
      "session.id": "s1",
      ...attributes,
    });
  const spans = document(
    [
      span("r", undefined, "invoke_agent clerk", 0, 90, { "gen_ai.agent.name": "clerk" }),
      call("a", "r", 10),
      call("b", "r", 40),
    ],
    { resource: { "service.name": "coder" } },
  );
  const title = (session: string, id: string) =>
    records([record("api_request", 500, { model, request_id: id, query_source: "session_title" }, session)]);
  const calls = async (session: string, id: string, isFirst: boolean) => {
    const both = [title(session, id), spans];
    return (await replayed(...(isFirst ? both : both.toReversed())))[0]?.llmCalls;
  };

  it.each([true, false])(
    "describes the call, whenever it was written (before the spans: %s)",
    async (isFirst) => {
      expect(await calls("s1", "resp_a", isFirst)).toBe(1);
    },
  );

  it("describes no call of another session, or of another id", async () => {
    expect(await calls("s2", "resp_a", true)).toBe(2);
    expect(await calls("s1", "resp_c", true)).toBe(2);
  });
});

it("records beyond what is read of a session are said to be missing, at the last run that was read", async () => {
  const turn = notations["records of responses"];
  const others = Array.from({ length: 20_000 }, (_, at) => record("api_error", 2000 + at / 2, { model }));
  const runs = await replayed(
    records([...turn("First?", 0), ...turn("Second?", 1000), ...others, ...turn("Third?", 30_000)]),
  );
  expect(runs.map(({ query }) => query)).toEqual(["First?", "Second?"]);
  const last = runs.at(-1);
  expect(last).toMatchObject({ complete: false });
  expect(last?.missing).toContainEqual({
    what: "records",
    why: expect.stringContaining("20,000 log records") as string,
  });
  expect(runs.at(-2)).toMatchObject({ complete: true });
});

it.each([
  ["reject", [], false],
  ["denied", [], false],
  ["accept", [], true],
  ["reject", [record("tool_result", 40, { tool_use_id: "t1", tool_name: "count", tool_result: "2" })], true],
])(
  "a tool of which the decision is %s ran only if nothing refused it or it has a result",
  async (decision, after, ran) => {
    const tool = { tool_name: "count", tool_use_id: "t1", tool_input: '{"file":"notes.txt"}' };
    const [run] = await replayed(
      records([
        record("user_prompt", 0, { prompt: "How long are the notes?" }),
        requestRecord(20, 100, 8),
        record("tool_decision", 30, { ...tool, decision }),
        ...after,
      ]),
    );
    expect(run?.tools).toMatchObject([{ name: "count", executed: ran }]);
  },
);

it("keeps sessions and services apart", async () => {
  const turn = (session: string) => [
    record("user_prompt", 0, { prompt: `Of ${session}?` }, session),
    record("api_request", 20, { model, input_tokens: 1, output_tokens: 1 }, session),
  ];
  const runs = await replayed(records([...turn("a"), ...turn("b")]), records(turn("a"), "other"));
  expect(runs.map(({ service, query }) => `${service} ${query}`).sort()).toEqual([
    "coder Of a?",
    "coder Of b?",
    "other Of a?",
  ]);
});

it("makes no run of records of a session that no agent wrote", async () => {
  const pages = [record("page_view", 0, { "url.path": "/" }), record("click", 5, { target: "buy" })];
  expect(await replayed(records(pages))).toEqual([]);
});

test("a session's records are a trace to the journal, and wait like one", () => {
  const batch = batchIn(records(notations["records of requests"]("How long?", 0)));
  const assembler = new Assembler(defaultTraceTimeouts, 1);
  assembler.add(batch, 0);
  expect(batchTraceIds(batch).size).toBe(1);
  expect(assembler.closeDue(defaultTraceTimeouts.idleMs - 200, 10)).toEqual([]);
  const [trace] = assembler.closeDue(defaultTraceTimeouts.idleMs + 200, 10);
  expect(trace?.traceId).toBe([...batchTraceIds(batch)][0]);
  expect(trace?.spans).toEqual([]);
  expect(trace?.uncorrelatedLogs).toHaveLength(5);
});

describe("sessions of many and of long names", () => {
  const use = record("api_request", 20, { model, input_tokens: 1, output_tokens: 1 });
  const readRecords = (service: string, count: number) =>
    batchIn(
      records(
        Array.from({ length: count }, () => use),
        service,
      ),
    );
  const spansOf = (services: readonly string[]) => {
    const root = span("r", undefined, "invoke_agent clerk", 0, 90, { "gen_ai.agent.name": "clerk" });
    const named = services.map((name) => document([root], { resource: { "service.name": name } }));
    return batchIn({ resourceSpans: named.flatMap((one) => one["resourceSpans"]) });
  };

  test("a service's name is read once for each scope, however long it is", () => {
    const batches = new Map(
      [2 ** 16, 2 ** 20].map((length) => [length, readRecords("s".repeat(length), 2_000)]),
    );
    const add = (length: number) => {
      const assembler = new Assembler(defaultTraceTimeouts, 1);
      assembler.add(batches.get(length) as never, 0);
      expect(assembler.openTraces).toBe(1);
    };
    expect(growthOf(add, { size: 2 ** 16, times: 16, limit: 8 })).toBeLessThan(8);
  });

  test("a service that sends spans is still recognised after thousands of other services", () => {
    const assembler = new Assembler(defaultTraceTimeouts, 1);
    assembler.add(spansOf(Array.from({ length: 3_000 }, (_, at) => `other ${at}`)), 0);
    assembler.add(spansOf(["coder"]), 0);
    assembler.add(readRecords("coder", 1), 1);
    const traces = assembler.closeAll("shutdown", 2);
    expect(traces.filter(({ isBesideSpans }) => isBesideSpans === true)).toHaveLength(1);
  });
});
