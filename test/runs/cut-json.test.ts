import { describe, expect, test } from "vitest";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import type { JsonValue } from "../../src/model/json.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { document, span } from "../support/otlp.ts";
import { queryOf, referenceOf } from "../support/query-of.ts";
import { replayed } from "../support/replayed.ts";

/* A JSON value that its text cut off is unknown. It is never the shorter value of the members that were recorded. */

type Texts = Readonly<Record<string, string>>;

const agentKind = { "openinference.span.kind": "AGENT", "agent.name": "clerk" };

/** The run of an agent, a tool and a model call, with further attributes of each. */
async function runWith(agent: Texts, tool: Texts = {}, call: Texts = {}): Promise<AgentRun> {
  const [run] = await replayed(
    document([
      span("r", undefined, "clerk", 0, 100, { ...agentKind, "input.value": "How many?", ...agent }),
      span("u", "r", "count", 10, 20, { "openinference.span.kind": "TOOL", "tool.name": "count", ...tool }),
      span("c", "r", "llm", 30, 90, {
        "openinference.span.kind": "LLM",
        "llm.model_name": "small",
        "llm.token_count.prompt": 5,
        "llm.token_count.completion": 2,
        ...call,
      }),
    ]),
  );
  if (run === undefined) throw new Error("no run");
  return run;
}

function outcomesOf(run: AgentRun, correctness: Record<string, JsonValue>): readonly string[] {
  const options = { reference: referenceOf({ tools: [], answer: "" }), judge: "incomplete" } as const;
  const { checks } = evaluateQuery(run, queryOf({ correctness }), options).layers.correctness;
  return checks.filter(({ check }) => check in correctness).map(({ outcome }) => outcome);
}

const structured = [
  '{"a":1,"b":2',
  '{"a":1,"b":"bom',
  '{"a":1,',
  '{"a": [1,2',
  '{"a": [1,2]',
  '{"a":1',
  '{"a": tru',
  "[1,2,3",
  '["Two orders", "and th',
  "{'a': 1, 'b': 'bom",
  "Order(a=1, b=Line(c=2)",
];

describe("a structured answer that was cut off is unknown", () => {
  test.each(structured)("%s", async (text) => {
    const run = await runWith({ "output.value": text });
    expect(run).toMatchObject({ answer: null, answerBegin: text, status: "ok" });
    expect(outcomesOf(run, { json_schema: { type: "object", additionalProperties: true } })).toEqual([
      "incomplete",
    ]);
    expect(outcomesOf(run, { not_in_answer: ["absent"] })).toEqual(["incomplete"]);
  });

  test("a forbidden term in the recorded part fails", async () => {
    const run = await runWith({ "output.value": '{"status":"ok","leak":"pass' });
    expect(outcomesOf(run, { not_in_answer: ["LEAK"] })).toEqual(["fail"]);
    expect(outcomesOf(run, { not_regex_match: "leak" })).toEqual(["fail"]);
  });

  test.each([
    ["the stored result", '{"messages":[],"structured_response":{"a":1,"b"'],
    ["the last message", '[{"role":"assistant","content":"One."},{"role":"assistant","content":"Two an'],
    ["a question beside the answer", '{"input":"no leak?","output":"Two or'],
    ["the answer beside other data", '{"status":"leak","output":"Two or'],
  ])("and so is its beginning: %s", async (_, text) => {
    const run = await runWith({ "output.value": text });
    expect(run.answer).toBeNull();
    expect(run.answerBegin).toBeUndefined();
  });
});

describe("a tool's values that were cut off are unknown", () => {
  test.each(['{"n":1,"m":2', '{"n":[1,2]', '{"n":{"m":1}'])("%s", async (text) => {
    const run = await runWith({ "output.value": "Two." }, { "input.value": text, "output.value": text });
    const [tool] = run.tools;
    expect(tool?.arguments).toBeUndefined();
    expect(tool?.result).toBeUndefined();
    expect(tool?.error).toBeNull();
  });

  test("arguments in a message that was cut off", async () => {
    const text =
      '[{"role":"assistant","tool_calls":[{"id":"1","type":"function","function":{"name":"count","arguments":{"n":1,"m"';
    const run = await runWith({}, {}, { "output.value": text });
    expect(run.tools.map((tool) => tool.arguments)).not.toContainEqual({ n: 1 });
  });

  test("a failed tool before an answer that was cut off does not fail the run", async () => {
    const [run] = await replayed(
      document([
        span("r", undefined, "clerk", 0, 100, {
          ...agentKind,
          "output.value": '[{"role":"assistant","content":"Tw',
        }),
        span(
          "u",
          "r",
          "count",
          10,
          20,
          { "openinference.span.kind": "TOOL", "tool.name": "count" },
          {
            status: { code: 2, message: "broken" },
          },
        ),
      ]),
    );
    expect(run?.status).not.toBe("error");
  });
});

describe("a question that was cut off", () => {
  test("is not an earlier question", async () => {
    const history =
      '[{"role":"user","content":"First?"},{"role":"assistant","content":"Yes."},{"role":"user","content":"And th';
    const run = await runWith({ "input.value": history, "output.value": "Two." });
    expect(run.query).toBeNull();
  });
});

test("tools of a list that was cut off are unknown", async () => {
  const whole = '[{"type":"function","function":{"name":"count","parameters":{}}}';
  const offered = { "gen_ai.tool.definitions": `${whole},{"type":"function"` };
  expect((await runWith({}, {}, offered)).toolDefinitions).toBeNull();
  expect((await runWith({}, {}, { "gen_ai.tool.definitions": `${whole}]` })).toolDefinitions).toHaveLength(1);
});
