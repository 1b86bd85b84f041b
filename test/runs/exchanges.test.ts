import { expect, test } from "vitest";
import type { RecordedExchange } from "../../src/model/model-exchange.ts";
import { recordingScope } from "../../src/model/telemetry/own-scope.ts";
import { exchangesOf } from "../../src/runs/results/exchanges.ts";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

const ask = { role: "user", parts: [{ type: "text", content: "Where is order 7?" }] };
const said = { role: "assistant", parts: [{ type: "text", content: "In Lyon." }] };
const schema = { type: "object", properties: { id: { type: "string" } } };
const definitions = JSON.stringify([
  { type: "function", name: "find", description: "f", parameters: schema },
]);

function chat(inputs: readonly object[], outputs: readonly object[], more: object = {}) {
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "m",
    "gen_ai.usage.input_tokens": 10,
    "gen_ai.usage.output_tokens": 5,
    "gen_ai.input.messages": JSON.stringify(inputs),
    "gen_ai.output.messages": JSON.stringify(outputs),
    ...more,
  };
}

const agent = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "shop" };
/** The kinds and texts of a request's messages, and of its answer. */
function outline({ request: { messages }, answer, error }: RecordedExchange): readonly unknown[] {
  const asked = messages?.map(({ role, text, calls, results }) => [
    role,
    text ?? calls[0]?.name ?? results[0]?.content,
  ]);
  return [asked ?? null, answer?.text ?? answer?.calls.map(({ name }) => name) ?? error];
}

test("a call that the model server recorded has the request that was sent", async () => {
  const shown = chat(
    [{ role: "user", parts: [{ type: "text", content: "task: Where is order 7?" }] }],
    [said],
  );
  const sent = chat([ask], [said], { "gen_ai.tool.definitions": definitions });
  const [run] = await replayed(
    document([span("a", undefined, "invoke_agent", 0, 100, agent), span("c", "a", "chat", 1, 90, shown)]),
    document([span("r", "c", "chat m", 2, 80, sent)], { scope: recordingScope }),
  );
  const [found] = run === undefined ? [] : exchangesOf(run);

  expect(found === undefined ? null : outline(found)).toEqual([[["user", "Where is order 7?"]], "In Lyon."]);
  expect(found?.request.tools).toHaveLength(1);
});
