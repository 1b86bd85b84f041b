import { isObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import type { ModelAnswer } from "../../../model/model-exchange.ts";
import { objectAt, objectsAt } from "../fields.ts";
import { customTools, withIds, writeArguments } from "../messages.ts";
import type { Fresh, ReceivedModelRequest, StreamPiece } from "../protocol.ts";
import { piecesOf } from "../texts.ts";
import { writeFinish } from "./finish.ts";
import { writeUsage } from "./usage.ts";

export function writeAnswer(answer: ModelAnswer, to: ReceivedModelRequest, fresh: Fresh): JsonValue {
  const { text, refusal, reasoning } = answer;
  const usage = writeUsage(answer.usage);
  const calls = writeCalls(answer, to, fresh);
  const message = {
    role: "assistant",
    content: text,
    refusal,
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...calls.inMessage,
    annotations: [],
  };
  return {
    ...head(answer, to, fresh, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason: calls.finish }],
    ...(usage === null ? {} : { usage }),
  };
}

export function writeStream(
  answer: ModelAnswer,
  to: ReceivedModelRequest,
  fresh: Fresh,
): readonly StreamPiece[] {
  const withUsage = isObject(to.body) && objectAt(to.body, "stream_options")["include_usage"] === true;
  const base = {
    ...head(answer, to, fresh, "chat.completion.chunk"),
    ...(withUsage ? { usage: null } : {}),
  };
  const chunk = (delta: JsonObject, finish: string | null = null): StreamPiece =>
    pieceOf({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  const { text, refusal, reasoning } = answer;
  const calls = writeCalls(answer, to, fresh);
  return [
    chunk({ role: "assistant", content: text === null ? null : "", refusal: null }),
    ...piecesOf(reasoning ?? "").map((piece) => chunk({ reasoning_content: piece })),
    ...piecesOf(text ?? "").map((piece) => chunk({ content: piece })),
    ...piecesOf(refusal ?? "").map((piece) => chunk({ refusal: piece })),
    ...calls.deltas.map((delta) => chunk(delta)),
    chunk({}, calls.finish),
    ...(withUsage ? [pieceOf({ ...base, choices: [], usage: writeUsage(answer.usage) })] : []),
    { event: null, data: "[DONE]" },
  ];
}

function head(answer: ModelAnswer, to: ReceivedModelRequest, fresh: Fresh, object: string): JsonObject {
  return {
    id: answer.id ?? fresh.id("chatcmpl-"),
    object,
    created: fresh.unixS,
    model: answer.model ?? to.request.model ?? "",
    service_tier: answer.serviceTier ?? "default",
    system_fingerprint: null,
  };
}

function writeCalls(answer: ModelAnswer, { body }: ReceivedModelRequest, fresh: Fresh) {
  const request = isObject(body) ? body : {};
  const finish = writeFinish(answer);
  const [first] = answer.calls;
  if (first === undefined) return { inMessage: {}, deltas: [], finish };
  if (request["tools"] === undefined && request["functions"] !== undefined) {
    const name = first.name ?? "";
    const args = writeArguments(first.arguments);
    return {
      inMessage: { function_call: { name, arguments: args } },
      deltas: [
        { function_call: { name, arguments: "" } },
        ...piecesOf(args).map((piece) => ({ function_call: { arguments: piece } })),
      ],
      finish: finish === "tool_calls" ? "function_call" : finish,
    };
  }
  const custom = customTools(objectsAt(request, "tools"));
  const calls = withIds(answer.calls, () => fresh.id("call_")).map(({ id, name, arguments: args }) => {
    const isCustom = custom.has(name ?? undefined);
    const input = isCustom && typeof args === "string" ? args : writeArguments(args);
    const type = isCustom ? "custom" : "function";
    const key = isCustom ? "input" : "arguments";
    return { id, type, name: name ?? "", key, input };
  });
  return {
    inMessage: {
      tool_calls: calls.map(({ id, type, name, key, input }) => ({
        id,
        type,
        [type]: { name, [key]: input },
      })),
    },
    deltas: calls.flatMap(({ id, type, name, key, input }, index) => [
      { tool_calls: [{ index, id, type, [type]: { name, [key]: "" } }] },
      ...piecesOf(input).map((piece) => ({ tool_calls: [{ index, [type]: { [key]: piece } }] })),
    ]),
    finish,
  };
}

function pieceOf(data: JsonValue): StreamPiece {
  return { event: null, data: JSON.stringify(data) };
}
