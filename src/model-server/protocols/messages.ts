import { isObject, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { Message, RequestedCall, ReturnedResult } from "../../model/message.ts";
import type { ModelFailure } from "./protocol.ts";

/** Returns a message with these values. A value that is not given is null or an empty list. */
export function messageOf(role: Message["role"], given: Partial<Message>): Message {
  return { role, name: null, text: null, calls: [], results: [], ...given };
}

/** Adds tool names to results, by call id. In most API formats, a result has only the call id. */
export function withToolNames(messages: readonly Message[]): readonly Message[] {
  const names = new Map<string, string | null>();
  return messages.map((message) => {
    for (const { id, name } of message.calls) if (id !== null) names.set(id, name);
    if (message.results.every(({ name }) => name !== null)) return message;
    const results = message.results.map((result): ReturnedResult => ({
      ...result,
      name: result.name ?? names.get(result.callId ?? "") ?? null,
    }));
    return { ...message, results };
  });
}

/** Adds an id, which `id` creates, to each tool call without an id. */
export function withIds(
  calls: readonly RequestedCall[],
  id: () => string,
): readonly (RequestedCall & { readonly id: string })[] {
  return calls.map((call) => ({ ...call, id: call.id ?? id() }));
}

export function invalidRequest(message: string): ModelFailure {
  return { status: 400, kind: "invalid_request", message, retryAfterS: null };
}

/** Returns the names of tools whose argument is text instead of JSON (OpenAI's `custom` tools). */
export function customTools(tools: readonly JsonObject[]): ReadonlySet<JsonValue | undefined> {
  return new Set(
    tools
      .filter(({ type }) => type === "custom")
      .map((tool) => {
        const { custom } = tool;
        return typeof custom === "object" && custom !== null && "name" in custom ? custom.name : tool["name"];
      }),
  );
}

/** Parses the arguments of a call. A text that is not JSON is returned unchanged; an empty text counts as no arguments. */
export function readArguments(text: string | null): JsonValue | undefined {
  if (text === null) return undefined;
  if (text.trim() === "") return {};
  return parseJson(text) ?? text;
}

/** Returns the arguments of a call as JSON. A text that is not JSON is returned unchanged, because it is what the model wrote. */
export function writeArguments(args: JsonValue | undefined): string {
  if (args === undefined) return "{}";
  return typeof args === "string" && parseJson(args) === undefined ? args : JSON.stringify(args);
}

/**
 * Returns the arguments as an object, for API formats that require an object. A text that contains JSON is parsed. Missing arguments and
 * null become an empty object. A text that is not JSON stays a text. Any other value, such as a list, becomes JSON text.
 */
export function argumentsObject(args: JsonValue | undefined): JsonObject | string {
  const value = typeof args === "string" ? (parseJson(args) ?? args) : args;
  if (value === undefined || value === null) return {};
  return isObject(value) ? value : typeof value === "string" ? value : JSON.stringify(value);
}
