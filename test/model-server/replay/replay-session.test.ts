import { describe, expect, test } from "vitest";
import type { JsonValue } from "../../../src/model/json.ts";
import type { Message } from "../../../src/model/message.ts";
import type { ModelAnswer, ModelRequest, ToolDefinition } from "../../../src/model/model-exchange.ts";
import { messageOf } from "../../../src/model-server/protocols/messages.ts";
import { createMask } from "../../../src/model-server/replay/mask.ts";
import { requestReducer } from "../../../src/model-server/replay/reduce-request.ts";
import { ReplayResponder } from "../../../src/model-server/replay/replay-responder.ts";
import { ReplaySession } from "../../../src/model-server/replay/replay-session.ts";
import { StandaloneResponder } from "../../../src/model-server/replay/standalone-responder.ts";
import type { Responder } from "../../../src/model-server/server/responder.ts";
import { garbageCollector } from "../../../src/receive/admission/garbage.ts";
import { answerOf, contextOf, exchangeOf, serverOf } from "../scripted.ts";

const user = (text: string): Message => messageOf("user", { text });
const asked = (id: string, name: string, args: JsonValue): Message =>
  messageOf("assistant", { calls: [{ id, name, arguments: args }] });

/** A message without tool calls, as frameworks send that print them. */
function asText(message: Message): Message {
  return message.calls.length === 0 ? message : { ...message, text: "Calling tools: search", calls: [] };
}

const result = (callId: string, content: string): Message =>
  messageOf("tool", { results: [{ callId, name: null, content, isError: false }] });

function answer(text: string | null, calls: ModelAnswer["calls"] = []): ModelAnswer {
  return answerOf({ text, calls, finish: calls.length > 0 ? "tool_call" : "stop" });
}

const tools: readonly ToolDefinition[] = [
  {
    name: "get_order",
    description: "Looks an order up.",
    parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  },
  { name: "refund", description: "Refunds an order.", parameters: { type: "object", properties: {} } },
];

function request(messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  return { model: "gpt-4o-mini", system: "You help customers.", messages, tools, parameters: {}, ...more };
}

const question = user("Where is order 7?");
const first = request([question]);
const second = request([
  question,
  asked("call_1", "get_order", { id: "7" }),
  result("call_1", '{"state":"sent"}'),
]);
const recorded = [
  exchangeOf(first, answer(null, [{ id: "call_1", name: "get_order", arguments: { id: "7" } }])),
  exchangeOf(second, answer("It was sent.")),
];

function session(exchanges = recorded, ignore: readonly string[] = []): ReplaySession {
  return new ReplaySession({ id: "run", query: "q", exchanges }, requestReducer(createMask(ignore)));
}

function play(requests: readonly ModelRequest[], exchanges = recorded, ignore: readonly string[] = []) {
  const one = session(exchanges, ignore);
  const texts = requests.map((each) => {
    const played = one.play(each, null);
    return "error" in played ? `error: ${played.error}` : (played.answer.text ?? "calls");
  });
  return { texts, divergences: one.divergences() };
}

describe("a session plays the recorded answers", () => {
  test("to equal requests, whatever the ids of their calls", () => {
    const now = request([
      question,
      asked("other", "get_order", { id: "7" }),
      result("other", '{ "state": "sent" }'),
    ]);

    expect(play([first, now])).toEqual({ texts: ["calls", "It was sent."], divergences: [] });
  });

  test("in any order of parallel calls, each recorded exchange once and repeats in their order", () => {
    const twice = [
      exchangeOf(first, answer("one")),
      exchangeOf(first, answer("two")),
      exchangeOf(second, answer("end")),
    ];

    expect(play([second, first, first], twice)).toEqual({ texts: ["end", "one", "two"], divergences: [] });
  });

  test("to a retry: an attempt that failed when it was recorded is not played where another was answered", () => {
    const retried = [exchangeOf(first, null, "overloaded"), ...recorded];

    expect(play([first, second], retried)).toEqual({ texts: ["calls", "It was sent."], divergences: [] });
  });

  test("and the recorded error where nothing else was answered", () => {
    expect(play([first], [exchangeOf(first, null, "no such model")])).toEqual({
      texts: ["error: no such model"],
      divergences: [],
    });
  });

  test("and no request of tools to a call more, which would never end", () => {
    const third = request([
      ...(second.messages ?? []),
      asked("call_2", "refund", {}),
      result("call_2", "no"),
    ]);
    const { texts, divergences } = play([first, second, third], recorded.slice(0, 1));

    expect(texts.map((text) => text.split(":")[0])).toEqual(["calls", "error", "error"]);
    expect(divergences.map((one) => one.what)).toEqual(["one call more", "one call more"]);
  });

  test.each([
    ["is called: others were offered, too", "get_order", []],
    ["is not called: the list is whole", "refund", ["tool definitions"]],
  ])("a tool that the recorded list lacks %s", (_, called, found) => {
    const listed = request([question], { tools: tools.slice(1) });
    const exchanges = [exchangeOf(listed, answer(null, [{ id: "call_1", name: called, arguments: {} }]))];

    expect(play([first], exchanges).divergences.map((one) => one.what)).toEqual(found);
  });

  test("retains little of requests of many megabytes", () => {
    const one = session();
    const collect = garbageCollector();
    const heldBytes = (): number => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const large = (at: number): ModelRequest => request([user(`${at} ${"word ".repeat(2 ** 18)}`)]);
    one.play(large(0), null);
    const before = heldBytes();
    for (let at = 1; at < 9; at++) one.play(large(at), null);

    expect(one.divergences().length).toBeGreaterThan(4);
    expect(heldBytes() - before).toBeLessThan(2 * 2 ** 20);
  });

  test.each([
    ["in another order", "Observation:\nlib: none\nsrc: 3 TODOs", []],
    ["with another word", "Observation:\nsrc: 4 TODOs\nlib: none", ["user"]],
    ["with the same words about other things", "Observation:\nsrc: none\nlib: 3 TODOs", ["user"]],
  ])("results of parallel tools in one text, %s", (_, observed, found) => {
    const shown = request(
      [question, asked("", "", {}), user("Observation:\nsrc: 3 TODOs\nlib: none")].map(asText),
    );
    const now = request([question, asked("", "", {}), user(observed)].map(asText));

    expect(play([now], [exchangeOf(shown, answer("3."))]).divergences.map((one) => one.what)).toEqual(found);
  });

  test.each([
    ["in another order", "[{'name': 'lib', 'n': 1}, {'name': 'src', 'n': 2}]", []],
    ["with other arguments", "[{'name': 'lib', 'n': 2}, {'name': 'src', 'n': 1}]", ["assistant"]],
  ])("calls of parallel tools in a list on one line, %s", (_, calls, found) => {
    const callsIn = (list: string): ModelRequest =>
      request(
        [question, asked("", "", {}), { ...user(`Calling tools:\n${list}`), role: "assistant" as const }].map(
          asText,
        ),
      );
    const shown = callsIn("[{'name': 'src', 'n': 2}, {'name': 'lib', 'n': 1}]");

    expect(
      play([callsIn(calls)], [exchangeOf(shown, answer("3."))]).divergences.map((one) => one.what),
    ).toEqual(found);
  });

  describe("where a call holds only what was new in it, without prompt, tools and history", () => {
    const last = { ...request([result("call_1", '{"state":"sent"}')]), system: null, tools: null };
    const partial = [exchangeOf(first, answer("calls")), exchangeOf(last, answer("It was sent."))];

    test.each([
      ["the whole history", [first, second]],
      ["only what is new", [first, last]],
    ])("and the agent sends %s", (_, requests) => {
      expect(play(requests, partial)).toEqual({ texts: ["calls", "It was sent."], divergences: [] });
    });

    test.each([
      ["system prompt", [first, second].map((one) => ({ ...one, system: "You serve customers." }))],
      ["tool definitions", [first, second].map((one) => ({ ...one, tools: tools.toReversed() }))],
      [
        "result of tool get_order",
        [first, request([...(second.messages ?? []).slice(0, 2), result("call_1", "lost")])],
      ],
    ])("and a changed %s is named, not a call more", (what, requests) => {
      const { texts, divergences } = play(requests, partial);

      expect(texts).toEqual(["calls", "It was sent."]);
      expect(divergences.map((one) => one.what)).toEqual([what]);
    });
  });

  test("and the recorded error, once, where a call that failed without its request follows all answers", () => {
    const lost = { ...first, system: null, messages: null, tools: null };
    const failed = [
      exchangeOf(first, recorded[0]?.answer ?? null),
      exchangeOf(lost, null, "context is too long"),
    ];
    const { texts, divergences } = play([first, second, second], failed);

    expect(texts.slice(0, 2)).toEqual(["calls", "error: context is too long"]);
    expect(divergences.map(({ call, what }) => [call, what])).toEqual([[3, "one call more"]]);
  });

  test.each([
    [
      "a call and its result in one message",
      [{ ...asked("a", "get_order", { id: "7" }), results: result("a", "sent").results }],
    ],
    [
      "a result in the envelope of an SDK",
      [asked("a", "get_order", { id: "7" }), result("a", '{"return_value":"sent"}')],
    ],
    [
      "an error in the envelope of an SDK",
      [asked("a", "get_order", { id: "7" }), result("a", '{"error":"sent"}')],
    ],
  ])("to the same history with %s", (_, history) => {
    const plain = [asked("b", "get_order", { id: "7" }), result("b", "sent")];
    const exchanges = [exchangeOf(request([question, ...history]), answer("It was sent."))];

    expect(play([request([question, ...plain])], exchanges)).toEqual({
      texts: ["It was sent."],
      divergences: [],
    });
  });

  test("and not where a call that failed holds neither prompt nor history", () => {
    const lost = { ...first, system: null, messages: null };
    const retried = [exchangeOf(lost, null, "overloaded"), ...recorded];
    const { texts, divergences } = play([{ ...first, system: "Another." }], retried);

    expect([texts, divergences[0]?.what]).toEqual([["calls"], "system prompt"]);
  });
});

test.each([
  ["system", { system: null }],
  ["tools", { tools: null }],
  ["model", { model: null }],
  ["messages", { messages: null }],
  ["descriptions", { tools: tools.map((tool) => ({ ...tool, description: null })) }],
  ["schemas", { tools: tools.map((tool) => ({ ...tool, parameters: undefined })) }],
])("what telemetry does not hold decides nothing: %s", (_, lacking) => {
  const known = [exchangeOf({ ...first, ...lacking }, answer("one"))];

  expect(play([request([question])], known)).toEqual({ texts: ["one"], divergences: [] });
});

test.each([
  [true, []],
  [false, [[1, "tool definitions", "+ refund"]]],
])("a tool more, where the recording may list some tools only: %s", (hasMoreTools, expected) => {
  const listed = request([question], { tools: tools.slice(0, 1), hasMoreTools });
  const { divergences } = play([first], [exchangeOf(listed, answer("It was sent."))]);

  expect(divergences.map(({ call, what, diff }) => [call, what, diff])).toEqual(expected);
});

test("a call whose result alone was recorded is no difference, and another call is one", () => {
  const before = [asked("a", "get_order", { id: "7" }), result("a", "sent"), user("Back to you.")];
  const history = [...before, asked("b", "back", {}), result("b", "done")];
  const lost = [exchangeOf(request([question, ...before, result("b", "done")]), answer("It was sent."))];
  const more = [...before, asked("c", "get_order", { id: "8" }), result("c", "lost"), ...history.slice(3)];

  expect(play([request([question, ...history])], lost).divergences).toEqual([]);
  expect(play([request([question, ...more])], lost).divergences).not.toEqual([]);
});

describe("what is new in every run decides nothing", () => {
  test.each([
    [
      "a UUID",
      "session 0b9c8a1e-5a4f-4c1d-9a77-2f4f2c1f0e11",
      "session 7d1f0f55-0f0e-4b8e-8f3a-111111111111",
    ],
    ["a time", "Now: 2026-01-02T03:04:05Z", "Now: 2026-05-06 07:08:09.123+02:00"],
    ["white space", "a\r\n  b", "a b"],
  ])("%s", (_, was, is) => {
    const known = [exchangeOf(request([question], { system: was }), answer("one"))];

    expect(play([request([question], { system: is })], known).divergences).toEqual([]);
  });

  test("and what the configuration ignores", () => {
    const known = [exchangeOf(request([question], { system: "Today is 2 March." }), answer("one"))];
    const now = request([question], { system: "Today is 3 April." });

    expect(play([now], known).divergences).toHaveLength(1);
    expect(play([now], known, ["Today is [^.]*"]).divergences).toEqual([]);
  });
});

describe("a divergence is named at its place", () => {
  const withTools = (change: (tool: ToolDefinition) => ToolDefinition): ModelRequest =>
    request([question], { tools: tools.map(change) });
  const changedResult = request([
    question,
    asked("x", "get_order", { id: "7" }),
    result("x", '{"state":"lost"}'),
  ]);

  test.each<[string, readonly ModelRequest[], readonly [number | null, string, string][]]>([
    [
      "a word of the system prompt, once for all calls",
      [
        { ...first, system: "You help clients." },
        { ...second, system: "You help clients." },
      ],
      [[1, "system prompt", "You help [-customers.-]{+clients.+}"]],
    ],
    [
      "the user",
      [request([user("Where is order 8?")]), second],
      [[1, "user", "Where is order [-7?-]{+8?+}"]],
    ],
    [
      "a tool's result",
      [first, changedResult],
      [[2, "result of tool get_order", '[-{"state":"sent"}-]{+{"state":"lost"}+}']],
    ],
    [
      "a tool's description",
      [
        withTools((tool) => ({
          ...tool,
          description: tool.name === "refund" ? "Pays an order." : tool.description,
        })),
        second,
      ],
      [[1, "tool definitions", "[-Refunds-]{+Pays+} an order."]],
    ],
    [
      "the order of two tools",
      [{ ...first, tools: tools.toReversed() }, second],
      [[1, "tool definitions", "[-get_order, refund-]{+refund, get_order+}"]],
    ],
    ["a tool fewer", [{ ...first, tools: tools.slice(1) }, second], [[1, "tool definitions", "- get_order"]]],
    ["another model", [{ ...first, model: "gpt-4o" }, second], [[1, "model", "[-gpt-4o-mini-]{+gpt-4o+}"]]],
    ["one call fewer", [first], [[null, "one call fewer", '- result of get_order: {"state":"sent"}']]],
    ["one call more, repeated", [first, first, second], [[2, "one call more", "+ user: Where is order 7?"]]],
    [
      "one call more, in between",
      [first, request([user("Is that true?")], { system: "You check." }), second],
      [[2, "one call more", "+ You check."]],
    ],
    [
      "one call more, at the end",
      [first, second, request([user("Bye")])],
      [[3, "one call more", "+ user: Bye"]],
    ],
  ])("%s", (_, requests, expected) => {
    const { divergences } = play(requests);

    expect(divergences.map(({ call, what, diff }) => [call, what, diff])).toEqual(expected);
  });

  test("and a loop is ended", () => {
    const { texts } = play(Array.from({ length: 40 }, () => first));

    expect(texts.at(-1)).toMatch(/^error: 40 model calls, but only 2 were recorded/);
  });
});

describe("a request that is sent again because its answer did not arrive", () => {
  const other = { ...first, system: "You help nobody." };
  const requests = { first, second, other };
  const attempts = {
    received: { isLost: () => false, isRetry: false },
    lost: { isLost: () => true, isRetry: false },
    retry: { isLost: () => false, isRetry: true },
  };
  test.each<[what: string, sent: string, sameAnswers: readonly number[], divergences: readonly unknown[]]>([
    ["is the same call", "first:lost first second", [0, 1], []],
    ["is the same call at the last one", "first second:lost second:lost second", [1, 2, 3], []],
    ["is the same call where the client says so", "first first:retry second", [0, 1], []],
    ["differs once from the recorded one", "other:lost other second", [0, 1], [[1, "system prompt"]]],
    [
      "is one call more, if an answer arrived before",
      "first:lost first first second",
      [0, 1, 2],
      [[2, "one call more"]],
    ],
    ["is another call, if its content differs", "first:lost second:retry", [], []],
  ])("%s", (_, sent, sameAnswers, divergences) => {
    const one = session();
    const played = sent.split(" ").map((text) => {
      const [what, how = "received"] = text.split(":") as [keyof typeof requests, (keyof typeof attempts)?];
      return one.play(requests[what], null, attempts[how]);
    });

    expect(new Set(sameAnswers.map((at) => JSON.stringify(played[at]))).size).toBe(
      Math.min(1, sameAnswers.length),
    );
    expect(one.divergences().map(({ call, what }) => [call, what])).toEqual(divergences);
  });

  test("for ever, ends all the same", () => {
    const one = session();
    const played = Array.from({ length: 40 }, () => one.play(first, null, attempts.lost));

    expect(played.at(-1)).toHaveProperty("error");
  });

  test("by a client whose connection was closed", async () => {
    const one = session();
    const responder = new ReplayResponder((prefix) => prefix);
    responder.open("c1", one);
    let isFirst = true;
    const aborting = new AbortController();
    const between: Responder = {
      respond: async (received, context) => {
        const responded = await responder.respond(received, context);
        if (!isFirst) return responded;
        isFirst = false;
        aborting.abort();
        await new Promise((resolve) => context.signal.addEventListener("abort", resolve));
        return responded;
      },
    };
    const url = `${(await serverOf(between)).baseUrl("c1")}/v1/chat/completions`;
    const body = JSON.stringify({
      model: "gpt-4o-mini",
      messages: [
        { role: "system", content: "You help customers." },
        { role: "user", content: "Where is order 7?" },
      ],
      tools: tools.map((tool) => ({ type: "function", function: tool })),
    });
    const post = { method: "POST", body };
    await expect(fetch(url, { ...post, signal: aborting.signal })).rejects.toThrow(/abort/i);
    const answered = await fetch(url, post);

    expect([answered.status, one.divergences().map(({ what }) => what)]).toEqual([200, ["one call fewer"]]);
  });
});

describe("a client that leaves its history to the server", () => {
  const output = { type: "function_call_output", output: '{"state":"sent"}' };
  const found = result("call_1", '{"state":"sent"}');
  const reworded = result("call_1", '{"state":"lost"}');
  const cases: readonly (readonly [name: string, recorded: ModelRequest, what: readonly string[]])[] = [
    ["is compared with a recording of the whole history", second, []],
    ["is compared with a recording of what was sent", request([found]), []],
    ["and differs where it did not", request([reworded]), ["result of tool get_order"]],
  ];

  test.each(["previous_response_id", "conversation"] as const)("by %s", async (key) => {
    for (const [name, later, what] of cases) {
      const one = session([
        recorded[0] ?? exchangeOf(first, null),
        exchangeOf(later, answer("It was sent.")),
      ]);
      let ids = 0;
      const responder = new ReplayResponder((prefix) => `${prefix}${++ids}`);
      responder.open("c1", one);
      const base = `${(await serverOf(responder)).baseUrl("c1")}/v1`;
      const post = async (path: string, body: object) => {
        const answered = await fetch(`${base}${path}`, { method: "POST", body: JSON.stringify(body) });
        return (await answered.json()) as { id: string; output: { call_id?: string }[] };
      };
      const begun = key === "conversation" ? { conversation: (await post("/conversations", {})).id } : {};
      const functions = tools.map((tool) => ({ type: "function", ...tool }));
      const common = { model: "gpt-4o-mini", instructions: "You help customers.", tools: functions };
      const asking = { ...common, ...begun, input: [{ role: "user", content: "Where is order 7?" }] };
      const { id, output: calls } = await post("/responses", asking);
      const goesOn = key === "conversation" ? begun : { previous_response_id: id };
      const given = [{ ...output, call_id: calls.find((item) => "call_id" in item)?.call_id }];
      await post("/responses", { ...common, ...goesOn, input: given });

      expect([name, one.divergences().map((divergence) => divergence.what)]).toEqual([name, what]);
    }
  });
});

test("texts of a divergence are shortened, and its diff shows the change", () => {
  const long = "word ".repeat(20_000);
  const { divergences } = play(
    [request([user(`${long}end`)])],
    [exchangeOf(request([user(`${long}stop`)]), answer("ok"))],
  );
  const [found] = divergences;

  expect(found?.what).toBe("user");
  expect(found?.recorded?.length).toBeLessThan(long.length);
  expect(found?.now?.length).toBeLessThan(long.length);
  expect(found?.diff).toContain("[-stop-]{+end+}");
});

test("a run whose calls are all made begins anew with a request without history", async () => {
  const reduce = requestReducer(createMask([]));
  const responder = new StandaloneResponder(
    [{ id: "run", query: "q", exchanges: recorded }],
    reduce,
    (prefix) => `${prefix}1`,
  );
  const other = request([user("Where is order 8?")]);
  const ask = (messages: ModelRequest) =>
    responder.respond(
      { protocol: "openai-chat", request: messages, isStreamed: false, previousResponseId: null, body: null },
      contextOf(null),
    );
  const answered: boolean[] = [];
  for (let at = 0; at < 100; at++) answered.push("answer" in (await ask(other)));

  expect(answered).not.toContain(false);
  const looping = request([
    question,
    asked("call_1", "get_order", { id: "9" }),
    result("call_1", "no order"),
  ]);
  for (let at = 0; at < 100; at++) await ask(looping);
  expect(await ask(looping)).toMatchObject({ status: 400, message: expect.stringContaining("model calls") });
});
