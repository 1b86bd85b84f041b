import { isObject, type JsonObject, type JsonValue, parseJson } from "../../../model/json.ts";
import type { ModelAnswer } from "../../../model/model-exchange.ts";
import { nameAt, objectAt, objectsAt, textAt, tierIn } from "../fields.ts";
import { failureInStream } from "../openai-failure.ts";
import type { AnswerReader, ModelFailure, StreamPiece } from "../protocol.ts";
import { readFinish } from "./finish.ts";
import { readCalls } from "./read-request.ts";
import { readUsage } from "./usage.ts";

export function readAnswer(body: JsonValue): ModelAnswer | null {
  const choice = isObject(body) ? objectsAt(body, "choices")[0] : undefined;
  if (!isObject(body) || choice === undefined) return null;
  const message = objectAt(choice, "message");
  return {
    id: nameAt(body, "id"),
    model: nameAt(body, "model"),
    text: textAt(message, "content"),
    reasoning: textAt(message, "reasoning_content") ?? textAt(message, "reasoning"),
    refusal: textAt(message, "refusal"),
    calls: readCalls(message),
    finish: readFinish(textAt(choice, "finish_reason")),
    usage: readUsage(body["usage"]),
    ...tierIn(body),
  };
}

/** A tool call whose arguments arrive in several chunks. */
interface GrowingCall {
  id: string | null;
  type: "function" | "custom";
  name: string;
  input: string;
}

export class ChunkReader implements AnswerReader {
  failure: ModelFailure | null = null;
  #head: JsonObject | null = null;
  #usage: JsonValue | undefined;
  #finish: JsonValue = null;
  #legacy = false;
  readonly #texts: Record<string, string> = {};
  readonly #calls = new Map<number, GrowingCall>();

  push({ data }: StreamPiece): void {
    const chunk = data.trim() === "[DONE]" ? undefined : parseJson(data);
    if (!isObject(chunk)) return;
    if (chunk["error"] !== undefined && chunk["error"] !== null) {
      this.failure = failureInStream(chunk["error"]);
      return;
    }
    if (isObject(chunk["usage"])) this.#usage = chunk["usage"];
    const choice = objectsAt(chunk, "choices").find(({ index }) => index === 0 || index === undefined);
    if (choice === undefined) return;
    this.#head ??= chunk;
    if (typeof choice["finish_reason"] === "string") this.#finish = choice["finish_reason"];
    this.#addDelta(objectAt(choice, "delta"));
  }

  answer(): ModelAnswer | null {
    if (this.#head === null) return null;
    const calls = [...this.#calls].sort(([a], [b]) => a - b).map(([, call]) => call);
    const written = calls.map(({ id, type, name, input }) => ({
      id,
      type,
      [type]: { name, [type === "custom" ? "input" : "arguments"]: input },
    }));
    const [first] = calls;
    const message = {
      ...this.#texts,
      ...(this.#legacy && first !== undefined
        ? { function_call: { name: first.name, arguments: first.input } }
        : { tool_calls: written }),
    };
    return readAnswer({
      ...this.#head,
      choices: [{ message, finish_reason: this.#finish }],
      usage: this.#usage ?? null,
    });
  }

  #addDelta(delta: JsonObject): void {
    for (const key of ["content", "refusal", "reasoning_content", "reasoning"]) {
      const text = textAt(delta, key);
      if (text !== null) this.#texts[key] = (this.#texts[key] ?? "") + text;
    }
    for (const part of objectsAt(delta, "tool_calls")) {
      const { index } = part;
      this.#addCall(part, typeof index === "number" ? index : this.#calls.size);
    }
    if (isObject(delta["function_call"])) {
      this.#legacy = true;
      this.#addCall({ function: delta["function_call"] }, 0);
    }
  }

  #addCall(part: JsonObject, index: number): void {
    const isCustom = isObject(part["custom"]);
    const inner = objectAt(part, isCustom ? "custom" : "function");
    const call = this.#calls.get(index) ?? {
      id: null,
      type: isCustom ? "custom" : "function",
      name: "",
      input: "",
    };
    call.id ??= nameAt(part, "id");
    call.name += textAt(inner, "name") ?? "";
    call.input += textAt(inner, isCustom ? "input" : "arguments") ?? "";
    this.#calls.set(index, call);
  }
}
