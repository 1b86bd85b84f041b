import { expect, test } from "vitest";
import { type CopiedCall, readCall } from "../../../src/model-server/record/read-call.ts";

type Protocol = Extract<CopiedCall["protocol"], string>;

const chat = (delta: object, reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: "c", model: "m", choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
const said = chat({ role: "assistant", content: 'The "finish_reason": "stop" is ' });

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;
const begun =
  event({ type: "message_start", message: { id: "m", role: "assistant", model: "m", content: [] } }) +
  event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }) +
  event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Yes" } });
const created = event({ type: "response.created", response: { id: "r", status: "in_progress", output: [] } });
const gemini = (more: object): string =>
  event({ candidates: [{ content: { role: "model", parts: [{ text: "Yes" }] }, ...more }] });

const incomplete = "incomplete";

test.each<[string, Protocol, string, string | null]>([
  ["without a reason", "openai-chat", said, incomplete],
  ["with a reason", "openai-chat", said + chat({}, "stop"), null],
  ["with a new reason", "openai-chat", said + chat({}, "tired"), null],
  ["with [DONE] only", "openai-chat", `${said}data: [DONE]\n\n`, null],
  ["without message_stop", "anthropic-messages", begun, incomplete],
  ["with message_stop", "anthropic-messages", begun + event({ type: "message_stop" }), null],
  ["without response.completed", "openai-responses", created, incomplete],
  [
    "with response.completed",
    "openai-responses",
    created + event({ type: "response.completed", response: { id: "r", status: "completed", output: [] } }),
    null,
  ],
  ["without finishReason", "gemini-generate", gemini({}), incomplete],
  ["with finishReason", "gemini-generate", gemini({ finishReason: "STOP" }), null],
])("a stream that ends %s (%s)", async (_, protocol, stream, error) => {
  const call = await readCall(
    {
      protocol,
      path: "/v1/x",
      target: "https://api.example.com/v1/x",
      requestEncoding: "",
      requestBody: Buffer.from("{}"),
      responseBody: Buffer.from(stream),
      passed: {
        status: 200,
        contentType: "text/event-stream",
        contentEncoding: "",
        firstByteMs: 1,
        interruption: null,
      },
      startUnixMs: 1,
      durationMs: 2,
    },
    2 ** 20,
  );

  expect(call.error?.type ?? null).toBe(error);
});
