import type { JsonObject, JsonValue } from "../../../model/json.ts";
import type { FinishReason, ModelAnswer } from "../../../model/model-exchange.ts";
import type { Usage } from "../../../model/run.ts";
import { argumentsObject } from "../messages.ts";
import { isUsageKnown, parametersOf } from "../fields.ts";
import type { Fresh, ReceivedModelRequest, StreamPiece } from "../protocol.ts";
import { piecesOf } from "../texts.ts";

/** Finish reasons of Gemini. An answer with tool calls has the reason `STOP`, like any complete answer. */
const reasons: Readonly<Record<FinishReason, string>> = {
  stop: "STOP",
  tool_call: "STOP",
  length: "MAX_TOKENS",
  content_filter: "SAFETY",
  error: "OTHER",
};

export function writeAnswer(answer: ModelAnswer, to: ReceivedModelRequest, fresh: Fresh): JsonValue {
  const { text, reasoning } = answer;
  const parts = [
    ...(reasoning === null ? [] : [{ text: reasoning, thought: true }]),
    ...(text === null ? [] : [{ text }]),
    ...callParts(answer),
  ];
  return {
    candidates: [{ content: contentOf(parts), ...ending(answer), index: 0 }],
    ...writeUsage(answer.usage),
    ...head(answer, to, fresh),
  };
}

/** Writes the chunks of a stream. Tool calls are not split; the last chunk has the finish reason. */
export function writeStream(
  answer: ModelAnswer,
  to: ReceivedModelRequest,
  fresh: Fresh,
): readonly StreamPiece[] {
  const { text, reasoning } = answer;
  const last = head(answer, to, fresh);
  const parts = [
    ...piecesOf(reasoning ?? "").map((piece) => ({ text: piece, thought: true })),
    ...piecesOf(text ?? "").map((piece) => ({ text: piece })),
    ...callParts(answer),
  ];
  const chunk = (content: JsonObject, others: JsonObject): StreamPiece => ({
    event: null,
    data: JSON.stringify({ candidates: [{ content, ...others, index: 0 }], ...last }),
  });
  const usage = writeUsage(answer.usage);
  const end = contentOf(text === null ? [] : [{ text: "" }]);
  return [
    ...parts.map((part) => chunk(contentOf([part]), {})),
    {
      event: null,
      data: JSON.stringify({
        candidates: [{ content: end, ...ending(answer), index: 0 }],
        ...usage,
        ...last,
      }),
    },
  ];
}

function head(answer: ModelAnswer, to: ReceivedModelRequest, fresh: Fresh): JsonObject {
  return {
    modelVersion: answer.model ?? to.request.model ?? "",
    responseId: answer.id ?? fresh.id("resp-"),
  };
}

/** Returns a content of the model. If there are no parts, the key `parts` is omitted. */
function contentOf(parts: readonly JsonObject[]): JsonObject {
  return parts.length === 0 ? { role: "model" } : { parts, role: "model" };
}

function callParts({ calls }: ModelAnswer): readonly JsonObject[] {
  return calls.map(({ id, name, arguments: args }) => ({
    functionCall: { ...(id === null ? {} : { id }), name: name ?? "", args: argumentsObject(args) },
  }));
}

function ending({ finish, refusal }: ModelAnswer): JsonObject {
  return {
    finishReason: reasons[finish ?? "stop"],
    ...(refusal === null ? {} : { finishMessage: refusal }),
  };
}

/** Writes usage. Gemini counts the tokens of thoughts separately from other output tokens. */
function writeUsage(usage: Usage): JsonObject {
  if (!isUsageKnown(usage)) return {};
  const { input, output, cached, reasoning } = usage;
  return {
    usageMetadata: {
      promptTokenCount: input ?? 0,
      candidatesTokenCount: Math.max(0, (output ?? 0) - (reasoning ?? 0)),
      totalTokenCount: (input ?? 0) + (output ?? 0),
      ...parametersOf({ cachedContentTokenCount: cached, thoughtsTokenCount: reasoning }),
    },
  };
}
