import type { Call } from "../adapt/call.ts";
import { unfold } from "../adapt/messages/unfold.ts";
import { readMessage } from "../adapt/messages/read-message.ts";
import { responseModelIn } from "../adapt/read-model.ts";
import { findCounts, type TokenCounts } from "../adapt/read-usage.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { Piece } from "../adapt/piece.ts";
import { squeeze } from "./texts.ts";

/** What a framework's state says of one of the model's messages. */
export interface KnownMessage {
  readonly counts: TokenCounts | undefined;
  readonly model: string | undefined;
}

/**
 * The model's messages in the state that a framework writes as its steps' output, by the ids of their tool calls and by
 * their text. They know what the call's own span may leave out: cached and reasoning tokens, the model that answered.
 */
export class StateMessages {
  readonly #known = new Map<string, KnownMessage>();

  /** Undefined where no step has an output. */
  static of(pieces: readonly Piece[]): StateMessages | undefined {
    const holders = pieces.filter(
      ({ role, reading }) =>
        (role === "step" || role === "workflow" || role === "agent") && reading.has("output"),
    );
    return holders.length === 0 ? undefined : new StateMessages(holders);
  }

  private constructor(holders: readonly Piece[]) {
    for (const piece of holders)
      for (const value of piece.reading.all("output")) this.#collect(unfold(value), 0);
  }

  of(call: Call): KnownMessage | undefined {
    for (const message of call.outputs) {
      for (const { id } of message.calls) {
        const known = id === null ? undefined : this.#known.get(id);
        if (known !== undefined) return known;
      }
      const known = message.text === null ? undefined : this.#known.get(squeeze(message.text));
      if (known !== undefined && message.text !== "") return known;
    }
    return undefined;
  }

  #collect(value: JsonValue, depth: number): void {
    if (depth > 8) return;
    if (isArray(value)) for (const item of value) this.#collect(item, depth + 1);
    else if (isObject(value)) {
      if (hasMetadata(value)) this.#add(value);
      else for (const inner of Object.values(value)) this.#collect(inner, depth + 1);
    }
  }

  #add(object: JsonObject): void {
    const message = readMessage(object, "assistant");
    const known = { counts: findCounts(object), model: responseModelIn(object) };
    if (known.counts === undefined && known.model === undefined) return;
    for (const { id } of message.calls) if (id !== null) this.#known.set(id, known);
    if (message.calls.length === 0 && message.text !== null) this.#known.set(squeeze(message.text), known);
  }
}

function hasMetadata(object: JsonObject): boolean {
  return (
    ["kwargs", "data"].some((key) => isObject(object[key]) && hasOwnMetadata(object[key])) ||
    hasOwnMetadata(object)
  );
}

function hasOwnMetadata(object: JsonObject): boolean {
  return isObject(object["response_metadata"]) || isObject(object["usage_metadata"]);
}
