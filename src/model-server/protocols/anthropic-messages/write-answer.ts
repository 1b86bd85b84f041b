import type { JsonObject, JsonValue } from "../../../model/json.ts";
import type { FinishReason, ModelAnswer } from "../../../model/model-exchange.ts";
import { argumentsObject, withIds, writeArguments } from "../messages.ts";
import type { Fresh, ReceivedModelRequest, StreamPiece } from "../protocol.ts";
import { piecesOf } from "../texts.ts";
import { writeUsage } from "./usage.ts";

const reasons: Readonly<Record<FinishReason, string>> = {
  stop: "end_turn",
  length: "max_tokens",
  tool_call: "tool_use",
  content_filter: "refusal",
  error: "end_turn",
};

export function writeAnswer(answer: ModelAnswer, to: ReceivedModelRequest, fresh: Fresh): JsonValue {
  return {
    ...head(answer, to, fresh),
    content: blocksOf(answer, fresh).map(({ block }) => block),
    ...ending(answer),
    usage: writeUsage(answer),
  };
}

export function writeStream(
  answer: ModelAnswer,
  to: ReceivedModelRequest,
  fresh: Fresh,
): readonly StreamPiece[] {
  const usage = writeUsage(answer);
  const started = {
    ...head(answer, to, fresh),
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: { ...usage, output_tokens: Math.min(1, answer.usage.output ?? 0), output_tokens_details: null },
  };
  const pieces = [pieceOf({ type: "message_start", message: started })];
  blocksOf(answer, fresh).forEach(({ start, deltas }, index) => {
    pieces.push(pieceOf({ type: "content_block_start", index, content_block: start }));
    if (index === 0) pieces.push(pieceOf({ type: "ping" }));
    for (const delta of deltas) pieces.push(pieceOf({ type: "content_block_delta", index, delta }));
    pieces.push(pieceOf({ type: "content_block_stop", index }));
  });
  const { cache_creation: _, service_tier: __, ...counts } = usage;
  pieces.push(pieceOf({ type: "message_delta", delta: ending(answer), usage: counts }));
  pieces.push(pieceOf({ type: "message_stop" }));
  return pieces;
}

function head(answer: ModelAnswer, to: ReceivedModelRequest, fresh: Fresh): JsonObject {
  return {
    id: answer.id ?? fresh.id("msg_"),
    type: "message",
    role: "assistant",
    model: answer.model ?? to.request.model ?? "",
    container: null,
  };
}

function ending({ finish, calls, refusal }: ModelAnswer): JsonObject {
  return {
    stop_reason: reasons[finish ?? (calls.length > 0 ? "tool_call" : "stop")],
    stop_sequence: null,
    stop_details: refusal === null ? null : { type: "refusal", category: null, explanation: refusal },
  };
}

/** A block of the answer in two forms: the complete block, and for a stream, its start and the deltas that follow. */
interface WrittenBlock {
  readonly block: JsonObject;
  readonly start: JsonObject;
  readonly deltas: readonly JsonObject[];
}

/** There is no block for an empty text, because the provider neither sends nor accepts empty texts. */
function blocksOf({ text, reasoning, calls }: ModelAnswer, fresh: Fresh): readonly WrittenBlock[] {
  const signature = reasoning === null ? "" : fresh.id("sig_");
  return [
    ...(reasoning === null
      ? []
      : [
          {
            block: { type: "thinking", thinking: reasoning, signature },
            start: { type: "thinking", thinking: "", signature: "" },
            deltas: [
              ...piecesOf(reasoning).map((thinking) => ({ type: "thinking_delta", thinking })),
              { type: "signature_delta", signature },
            ],
          },
        ]),
    ...(text === null || text === ""
      ? []
      : [
          {
            block: { type: "text", text },
            start: { type: "text", text: "" },
            deltas: piecesOf(text).map((piece) => ({ type: "text_delta", text: piece })),
          },
        ]),
    ...withIds(calls, () => fresh.id("toolu_")).map(({ id, name, arguments: args }) => {
      const base = { type: "tool_use", id, name: name ?? "" };
      return {
        block: { ...base, input: argumentsObject(args) },
        start: { ...base, input: {} },
        deltas: ["", ...piecesOf(writeArguments(args))].map((piece) => ({
          type: "input_json_delta",
          partial_json: piece,
        })),
      };
    }),
  ];
}

function pieceOf(data: JsonObject & { readonly type: string }): StreamPiece {
  return { event: data.type, data: JSON.stringify(data) };
}
