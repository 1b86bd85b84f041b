import { describe, expect, test } from "vitest";
import { conversationRun } from "../../src/pipeline/conversation/conversation-run.ts";
import { Conversations } from "../../src/pipeline/conversation/conversations.ts";
import { createJudgeRun } from "../../src/pipeline/judge-run.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { runOf, type RunText } from "../support/run-of.ts";
import { specOf } from "../support/spec-of.ts";

const MINUTE = 60_000;
const rules = { idleMs: 5 * MINUTE, keptMs: 2 * MINUTE, mostRuns: 100 };

/** A turn of the conversation "c", so many minutes after the first; ids by number. */
function turn(n: number, atMinute: number, text: RunText = {}): AgentRun {
  return runOf({
    runId: `run-${n}`,
    traceId: n.toString(16).padStart(32, "0"),
    conversationId: "c",
    startUnixMs: atMinute * MINUTE,
    durationMs: 1000,
    ...text,
  });
}

function told(conversations: readonly AgentRun[]): string[] {
  return conversations.map(({ turns = [] }) => turns.map(({ runId }) => runId).join(" "));
}

test("a conversation lacks the query of its first turn and the answer of its last, not those of others", () => {
  const entry = (what: string) => ({ what, why: "not recorded" });
  const lacking = (query: string | null, answer: string | null) => ({
    query,
    answer,
    missing: [...(query === null ? [entry("query")] : []), ...(answer === null ? [entry("answer")] : [])],
  });
  const cases = [
    [lacking("q", null), lacking(null, "a"), []],
    [lacking(null, null), lacking(null, null), ["query", "answer"]],
  ] as const;
  for (const [first, last, expected] of cases) {
    const run = conversationRun([turn(1, 0, first), turn(2, 1, last)]);
    expect(run.missing.map(({ what }) => what)).toEqual(expected);
  }
});

describe("conversations", () => {
  test("are over when nothing was said for the idle time", () => {
    const conversations = new Conversations(rules);
    conversations.add(turn(1, 0), 0);
    conversations.add(turn(2, 1), MINUTE);

    expect(told(conversations.due(5 * MINUTE))).toEqual([]);
    expect(told(conversations.due(6 * MINUTE))).toEqual(["run-1 run-2"]);
    expect(told(conversations.due(7 * MINUTE))).toEqual([]);
  });

  test("come again when a run of theirs came late or changed, and not otherwise", () => {
    const conversations = new Conversations(rules);
    conversations.add(turn(1, 0), 0);
    conversations.due(5 * MINUTE);
    conversations.add(turn(2, 1), 6 * MINUTE);

    expect(told(conversations.due(11 * MINUTE))).toEqual(["run-1 run-2"]);
    expect(told(conversations.drain())).toEqual([]);
  });

  test("lose a run that has become a part of another, or that turns out to belong to another conversation", () => {
    const conversations = new Conversations(rules);
    for (const run of [turn(1, 0), turn(2, 1), turn(3, 2)]) conversations.add(run, 0);
    conversations.add({ ...turn(1, 0), replaces: ["run-1", "run-2"] }, MINUTE);
    conversations.add({ ...turn(3, 2, { conversationId: "d" }), replaces: ["run-3"] }, MINUTE);

    expect(told(conversations.drain())).toEqual(["run-1", "run-3"]);
  });

  test("are parted by a pause in the telemetry, whenever it arrives and in whatever order", () => {
    const runs = [turn(1, 0), turn(2, 1), turn(3, 20), turn(4, 20)];
    const orders = [runs, [...runs].reverse()];

    for (const order of orders) {
      const conversations = new Conversations({ ...rules, keptMs: Infinity });
      for (const run of order) conversations.add(run, 0);
      expect(told(conversations.drain())).toEqual(["run-1 run-2", "run-3 run-4"]);
    }
  });

  test("live ones are parted as replayed ones are", () => {
    const conversations = new Conversations({ ...rules, keptMs: 60 * MINUTE });
    conversations.add(turn(1, 0), 0);
    const first = conversations.due(5 * MINUTE);
    conversations.add(turn(2, 10), 10 * MINUTE);

    expect([...told(first), ...told(conversations.due(15 * MINUTE))]).toEqual(["run-1", "run-2"]);
  });

  test("of different services or ids are not mixed, and without an id a trace is one", () => {
    const conversations = new Conversations(rules);
    const shared = { conversationId: null, traceId: "f".repeat(32) };
    for (const run of [
      turn(1, 0),
      turn(2, 1, { service: "other" }),
      turn(3, 1, { conversationId: "d" }),
      turn(4, 0, shared),
      turn(5, 1, shared),
      turn(6, 0, { conversationId: null }),
    ])
      conversations.add(run, 0);

    expect(told(conversations.drain())).toEqual(["run-1", "run-2", "run-3", "run-4 run-5", "run-6"]);
  });

  test("that are too many go early, and are not taken to be whole", () => {
    const conversations = new Conversations({ ...rules, mostRuns: 2 });
    conversations.add(turn(1, 0), 0);
    conversations.add(turn(2, 1), 0);
    const gone = conversations.add(turn(3, 0, { conversationId: "d" }), 0);

    expect(told(gone)).toEqual(["run-1 run-2"]);
    expect(gone[0]).toMatchObject({ complete: false, missing: [{ what: "turns" }] });
    expect(told(conversations.drain())).toEqual(["run-3"]);
  });
});

describe("a conversation as a run", () => {
  const whole = conversationRun([
    turn(1, 0, {
      query: "Where is order 7?",
      answer: "On its way.",
      tools: ["lookup"],
      usage: { input: 10, output: 5 },
      messages: [
        { role: "system", name: null, text: "Be kind.", calls: [], results: [] },
        { role: "user", name: null, text: "Where is order 7?", calls: [], results: [] },
        { role: "assistant", name: null, text: "On its way.", calls: [], results: [] },
      ],
    }),
    turn(2, 1, {
      query: "Cancel it.",
      answer: "Cancelled.",
      tools: ["cancel"],
      usage: { input: 20, output: 5 },
      messages: [
        { role: "user", name: null, text: "Where is order 7?", calls: [], results: [] },
        { role: "assistant", name: null, text: "On its way.", calls: [], results: [] },
        { role: "user", name: null, text: "Cancel it.", calls: [], results: [] },
      ],
    }),
  ]);

  test("has the first question, the last answer and all steps", () => {
    expect(whole.query).toBe("Where is order 7?");
    expect(whole.answer).toBe("Cancelled.");
    expect(whole.tools.map(({ name }) => name)).toEqual(["lookup", "cancel"]);
    expect(whole.totalTokens).toBe(40);
    expect(whole.durationMs).toBe(MINUTE + 1000);
  });

  test("says each message once, however often the telemetry repeats it", () => {
    expect(whole.messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      "user: Where is order 7?",
      "assistant: On its way.",
      "user: Cancel it.",
      "assistant: Cancelled.",
    ]);
  });

  test("does not know a total when it does not know a turn's", () => {
    expect(
      conversationRun([turn(1, 0, { usage: { input: 1, output: 1 } }), turn(2, 1)]).totalTokens,
    ).toBeNull();
  });
});

describe("a query about conversations", () => {
  const spec = specOf(`agent: support
queries:
  - id: cancel
    query: order cancelled in the end
    scope: conversation
    correctness: { expected_in_answer: [cancelled] }
    path: { expected_tools: [lookup, cancel] }
    cost: { max_total_tokens: 50 }
    turns:
      - query: Where is order 7?
        correctness: { expected_in_answer: [way] }
        path: { forbidden_tools: [cancel] }
      - query: cancel it
        correctness: { expected_in_answer: [sorry] }
        path: { max_tool_calls: 1 }
  - id: thanks
    query: Thank you
    path: { max_tool_calls: 0 }
`);
  const judge = createJudgeRun({ specs: [spec], judgeSkipPolicy: { judge: "off" }, engine: "0" });
  const asked = turn(1, 0, { query: "Where is order 7?", answer: "On its way", tools: ["lookup"] });
  const cancelled = turn(2, 1, { query: "Cancel it!", answer: "Cancelled.", tools: ["cancel"] });
  const thanked = turn(3, 2, { query: "Thank you", answer: "Welcome. It is cancelled." });

  test("is found by its first turn, and judges the whole and each turn", () => {
    const { verdicts, unmatched } = judge(conversationRun([asked, cancelled, thanked]));
    const [verdict] = verdicts;
    const lines = Object.values(verdict?.layers ?? {}).flatMap(({ checks }) =>
      checks.map(({ check, outcome, turn: at = 0 }) => `${at} ${check} ${outcome}`),
    );

    expect(verdict?.queryId).toBe("cancel");
    expect(lines).toEqual([
      "0 run_status pass",
      "0 expected_in_answer pass",
      "1 expected_in_answer pass",
      "2 expected_in_answer fail",
      "0 expected_tools pass",
      "1 forbidden_tools pass",
      "2 max_tool_calls pass",
      "0 max_total_tokens incomplete",
    ]);
    expect(verdict).toMatchObject({ outcome: "fail", hardFail: true });
    expect(unmatched).toEqual([]);
  });

  const find = (fields: object) => ({ name: "find", arguments: {}, result: "no order", ...fields });
  test.each<[string, RunText, RunText, string]>([
    ["a question of an earlier turn", { query: "Order 81?" }, { answer: "81" }, "pass pass"],
    ["its own question", {}, { query: "Cancel it, order 81", answer: "81" }, "pass pass"],
    ["a result of an earlier turn", { tools: [find({ result: "81" })] }, { answer: "81" }, "pass pass"],
    ["nothing", { tools: [find({})] }, { answer: "81" }, "fail fail"],
    [
      "an unknown result of an earlier turn",
      { tools: [find({ result: undefined })] },
      { answer: "81" },
      "incomplete incomplete",
    ],
    [
      "a truncated result of an earlier turn",
      { tools: [find({ result: `{"a":"${"x".repeat(4090)}` })] },
      { answer: "81" },
      "incomplete incomplete",
    ],
    [
      "calls of an earlier turn that may be missing",
      { missing: [{ what: "tools", why: "not recorded" }] },
      { answer: "81" },
      "incomplete incomplete",
    ],
    ["an earlier answer", { answer: "Order 81" }, { answer: "81" }, "fail fail"],
    ["an unknown question of an earlier turn", { query: null }, { answer: "81" }, "incomplete incomplete"],
    ["its own question", {}, { query: "81, please", tools: [find({ arguments: { id: 81 } })] }, "pass pass"],
    ["a later question", { tools: [find({ arguments: { id: 81 } })] }, { query: "Order 81?" }, "fail pass"],
  ])("values are grounded in %s: %j, %j", (_, first, second, outcomes) => {
    const where = second.answer === undefined ? "arguments" : "answer";
    const check = `correctness: { grounded: { in: ${where} } }`;
    const text = `agent: support\nqueries:\n  - query: "*"\n    ${check}\n    turns: [{ query: "*" }, { query: "*", ${check} }]\n`;
    const off = { judgeSkipPolicy: { judge: "off" }, engine: "0" } as const;
    const talk = conversationRun([
      turn(1, 0, { query: "Hello", ...first }),
      turn(2, 1, { query: "Well?", ...second }),
    ]);
    const [verdict] = createJudgeRun({ specs: [specOf(text)], ...off })(talk).verdicts;
    const found = verdict?.layers.correctness.checks.filter((one) => one.check === "grounded");
    expect(found?.map(({ outcome }) => outcome).join(" ")).toBe(outcomes);
  });

  test("says of a turn that nobody asked that it cannot tell", () => {
    const [verdict] = judge(conversationRun([asked, thanked])).verdicts;
    const { checks = [] } = verdict?.layers.correctness ?? {};
    const [found] = checks.filter((check) => check.turn === 2);

    expect(found).toMatchObject({ outcome: "incomplete", missing: ["turns"] });
    expect(found?.message).toBe('turn 2: this conversation has no turn "cancel it"');
    expect(checks.find(({ check }) => check === "expected_in_answer")).toMatchObject({
      outcome: "incomplete",
      missing: ["expected_turns"],
    });
  });

  test("leaves single runs to the queries about runs", () => {
    expect(judge(thanked).verdicts.map(({ queryId }) => queryId)).toEqual(["thanks"]);
    expect(judge(asked)).toMatchObject({ verdicts: [], unmatched: [] });
  });

  test("a run is told as unmatched once neither it nor its conversation is claimed", () => {
    const lost = turn(4, 0, { query: "Anything else?" });

    expect(judge(lost).unmatched).toEqual([]);
    expect(judge(conversationRun([lost, thanked])).unmatched.map(({ run }) => run.runId)).toEqual(["run-4"]);
  });

  test("a forbidden tool in one turn fails the conversation", () => {
    const early = turn(1, 0, {
      query: "Where is order 7?",
      answer: "On its way",
      tools: ["cancel", "lookup"],
    });
    const [verdict] = judge(conversationRun([early, cancelled])).verdicts;

    expect(verdict?.layers.path.outcome).toBe("fail");
    expect(verdict?.hardFail).toBe(true);
  });
});
