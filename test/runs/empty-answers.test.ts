import { expect, test } from "vitest";
import type { AgentRun } from "../../src/model/run.ts";
import { exchangesOf } from "../../src/runs/results/exchanges.ts";
import { replayed } from "../support/replayed.ts";
import { tokenCounts, words } from "../support/genai.ts";
import { document, span } from "../support/otlp.ts";

const asked = JSON.stringify([words("user", "How high?")]);
const hidden = JSON.stringify([{ role: "user", parts: [{ type: "text" }] }]);
const stop = "gen_ai.response.finish_reasons";

function message(fields: object): string {
  return JSON.stringify([{ role: "assistant", ...fields }]);
}

type Texts = Readonly<Record<string, string>>;

/** The run of an agent with one model call, each of which has its attributes. */
async function runWith(call: Texts, root: Texts = {}): Promise<AgentRun | undefined> {
  const chat = { "gen_ai.operation.name": "chat", ...tokenCounts(10, 2), ...call };
  const agent = { "gen_ai.operation.name": "invoke_agent", ...root };
  const spans = [span("r", undefined, "invoke_agent gauge", 0, 9, agent), span("a", "r", "chat", 1, 8, chat)];
  return (await replayed(document(spans)))[0];
}

const answers = (fields: object): Texts => ({
  "gen_ai.input.messages": asked,
  "gen_ai.output.messages": message(fields),
});
const noParts = answers({ parts: [] });
const noText = answers({ parts: [{ type: "text" }] });
const emptyText = answers({ parts: [{ type: "text", content: "" }] });
const choice = { finish_reason: "stop", message: { role: "assistant", content: "" } };
const response = { "output.value": JSON.stringify({ choices: [choice] }) };
const finish = "ai.response.finishReason";

test.each<[string, Texts, string | null]>([
  ["no parts, the call stopped", { ...noParts, [stop]: "stop" }, ""],
  ["no parts, the message stopped", answers({ parts: [], finish_reason: "stop" }), ""],
  ["no content, the call stopped", { ...answers({ content: [] }), [stop]: "end_turn" }, ""],
  ["no parts, a filter withheld them", { ...noParts, [stop]: "content_filter" }, ""],
  ["no parts, no reason to stop", noParts, null],
  ["no parts, and the call asked for a tool", { ...noParts, [stop]: "tool_calls" }, null],
  [
    "no parts, and the question is hidden",
    { ...noParts, [stop]: "stop", "gen_ai.input.messages": hidden },
    null,
  ],
  ["a text part without a text", { ...noText, [stop]: "stop" }, null],
  ["a message without content", { ...answers({}), [stop]: "stop" }, null],
  ["null as content", { ...answers({ content: null }), [stop]: "stop" }, null],
  [
    "no content, and the provider's response states an empty text",
    { ...answers({}), ...response, [stop]: "stop" },
    "",
  ],
  ["an empty text part", { ...emptyText, [stop]: "stop" }, ""],
  ["an empty text attribute", { "ai.response.text": "", [finish]: "stop" }, ""],
  ["an empty text beside a request", { "ai.response.text": "", [finish]: "tool-calls" }, null],
  ["no attribute", { "gen_ai.input.messages": asked, [stop]: "stop" }, null],
])("%s", async (_, attributes, answer) => {
  const run = await runWith(attributes);
  expect(run?.answer).toBe(answer);
  expect(run && exchangesOf(run).map((exchange) => exchange.answer?.text ?? null)).toEqual([answer]);
  const lacksTools = run?.missing.some(({ what }) => what === "tools") === true;
  expect(lacksTools && answer !== null).toBe(false);
});

const nothing = JSON.stringify([]);
const asksTool = message({ parts: [{ type: "tool_call", id: "c1", name: "find", arguments: {} }] });

const ofRoot = (output: string) => ({ "gen_ai.output.messages": output });
test.each<[string, Texts, string | undefined, string | null]>([
  ["no message", ofRoot(nothing), "stop", ""],
  ["no message, as the call was cut", ofRoot(nothing), "length", ""],
  ["a message without parts", ofRoot(message({ parts: [] })), "stop", ""],
  ["an empty text", ofRoot(message({ content: "" })), undefined, ""],
  ["no message, no reason to stop", ofRoot(nothing), undefined, null],
  [
    "no message, and the question is hidden",
    { ...ofRoot(nothing), "gen_ai.input.messages": hidden },
    "stop",
    null,
  ],
  ["no message, and the call asked for a tool", ofRoot(nothing), "tool_calls", null],
  ["a request", ofRoot(asksTool), "stop", null],
  ["no attribute", {}, "stop", null],
])("the root has %s", async (_, attributes, reason, answer) => {
  const root = { "gen_ai.input.messages": asked, ...attributes };
  const run = await runWith(reason === undefined ? {} : { [stop]: reason }, root);
  expect(run?.answer).toBe(answer);
});
