import { isObject, type JsonObject, type JsonValue, parseJson } from "../../../model/json.ts";
import type { FinishReason, ModelAnswer } from "../../../model/model-exchange.ts";
import type { Usage } from "../../../model/run.ts";
import { countAt, nameAt, objectAt, objectsAt, textAt, unknownUsage } from "../fields.ts";
import { joined } from "../texts.ts";
import type { AnswerReader, ModelFailure, StreamPiece } from "../protocol.ts";
import { readFailure } from "./failure.ts";
import { callIn, partsOf } from "./read-request.ts";

const filtered = /SAFETY|RECITATION|BLOCKLIST|PROHIBITED|SPII|LANGUAGE/;

export function readAnswer(body: JsonValue): ModelAnswer | null {
  if (!isObject(body)) return null;
  const candidate = objectsAt(body, "candidates")[0];
  const isBlocked = textAt(objectAt(body, "promptFeedback"), "blockReason") !== null;
  if (candidate === undefined && !isBlocked) return null;
  const parts = partsOf(objectAt(candidate ?? {}, "content"));
  const calls = parts.map(callIn).filter((call) => call !== null);
  const reason = textAt(candidate ?? {}, "finishReason");
  return {
    id: nameAt(body, "responseId"),
    model: nameAt(body, "modelVersion"),
    text: textsOf(parts, false),
    reasoning: textsOf(parts, true),
    refusal: textAt(candidate ?? {}, "finishMessage") || null,
    calls,
    finish: isBlocked && reason === null ? "content_filter" : readFinish(reason, calls.length > 0),
    usage: readUsage(body["usageMetadata"]),
  };
}

/** Joins the texts of parts without a separator, because each chunk of a streamed text is a part of its own. */
function textsOf(parts: readonly JsonObject[], thoughts: boolean): string | null {
  return joined(
    parts
      .filter((part) => (part["thought"] === true) === thoughts)
      .map((part) => textAt(part, "text"))
      .filter((text) => text !== null),
    "",
  );
}

function readFinish(reason: string | null, hasCalls: boolean): FinishReason | null {
  if (reason === null || reason === "FINISH_REASON_UNSPECIFIED") return null;
  if (reason === "STOP") return hasCalls ? "tool_call" : "stop";
  if (reason === "MAX_TOKENS") return "length";
  return filtered.test(reason) ? "content_filter" : "error";
}

function readUsage(usage: JsonValue | undefined): Usage {
  if (!isObject(usage)) return unknownUsage;
  const prompt = countAt(usage, "promptTokenCount");
  const ofTools = countAt(usage, "toolUsePromptTokenCount");
  const candidates = countAt(usage, "candidatesTokenCount");
  const reasoning = countAt(usage, "thoughtsTokenCount");
  return {
    input: prompt === null ? null : prompt + (ofTools ?? 0),
    output: candidates === null && reasoning === null ? null : (candidates ?? 0) + (reasoning ?? 0),
    cached: countAt(usage, "cachedContentTokenCount"),
    cacheWrite: null,
    reasoning,
  };
}

export class ChunkReader implements AnswerReader {
  failure: ModelFailure | null = null;
  #last: JsonObject | null = null;
  #usage: JsonValue | undefined;
  #candidate: JsonObject = {};
  readonly #parts: JsonObject[] = [];

  push({ data }: StreamPiece): void {
    const chunk = parseJson(data);
    if (!isObject(chunk)) return;
    if (isObject(chunk["error"])) {
      this.failure = readFailure(0, chunk);
      return;
    }
    this.#usage = chunk["usageMetadata"] ?? this.#usage;
    this.#last = { ...this.#last, ...chunk };
    const candidate = objectsAt(chunk, "candidates")[0];
    if (candidate === undefined) return;
    this.#candidate = { ...this.#candidate, ...candidate };
    this.#parts.push(...partsOf(objectAt(candidate, "content")));
  }

  answer(): ModelAnswer | null {
    if (this.#last === null) return null;
    const isEmpty = Object.keys(this.#candidate).length === 0;
    const candidates = isEmpty ? [] : [{ ...this.#candidate, content: { parts: this.#parts } }];
    return readAnswer({ ...this.#last, candidates, usageMetadata: this.#usage ?? null });
  }
}
