import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";
import { compact, type Imported } from "./imported.ts";

/** LangChain agentevals: reference trajectories as lists of messages, one, several, or under `reference_outputs`. */
export function importAgentevals(documents: readonly JsonValue[]): Imported {
  const left: string[] = [];
  const queries = documents.flatMap(trajectories).flatMap((messages, at) => {
    const query = queryOf(messages);
    if (query !== null) return [{ query, remarks: [] }];
    left.push(`trajectory ${at + 1}: no message of a user in it`);
    return [];
  });
  return { queries, agent: null, root: {}, left };
}

function trajectories(value: JsonValue): readonly (readonly JsonObject[])[] {
  if (isArray(value)) {
    return value.some(isMessage) ? [value.filter(isObject)] : value.flatMap(trajectories);
  }
  if (!isObject(value)) return [];
  return [
    "reference_outputs",
    "referenceOutputs",
    "reference",
    "outputs",
    "messages",
    "examples",
    "trajectories",
  ]
    .flatMap((key) => {
      const inner = value[key];
      return inner === undefined ? [] : trajectories(inner);
    })
    .slice(0, isArray(value["examples"]) || isArray(value["trajectories"]) ? undefined : 1);
}

function isMessage(value: JsonValue): boolean {
  return (
    isObject(value) &&
    (typeof value["role"] === "string" || typeof value["type"] === "string") &&
    "content" in value
  );
}

function queryOf(messages: readonly JsonObject[]): JsonObject | null {
  const asked = messages.find((message) => roleOf(message) === "user");
  if (asked === undefined) return null;
  const calls = messages.flatMap((message) => {
    const list = message["tool_calls"];
    return isArray(list) ? list.filter(isObject).map(callOf) : [];
  });
  const answer = messages.findLast((message) => roleOf(message) === "assistant" && contentOf(message) !== "");
  return compact({
    query: contentOf(asked),
    description: answer === undefined ? undefined : `Reference answer: ${contentOf(answer).slice(0, 300)}`,
    path: compact({
      expected_tool_sequence: calls.map(({ name }) => name),
      sequence_mode: calls.length > 0 ? "same-order" : undefined,
      expected_tool_calls: calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
      expected_tools: calls.length === 0 ? undefined : [...new Set(calls.map(({ name }) => name))],
    }),
  });
}

function roleOf(message: JsonObject): string {
  const role = message["role"] ?? message["type"];
  return role === "human" ? "user" : role === "ai" ? "assistant" : typeof role === "string" ? role : "";
}

function contentOf(message: JsonObject): string {
  const { content } = message;
  if (typeof content === "string") return content;
  if (!isArray(content)) return "";
  return content
    .flatMap((part) => (isObject(part) && typeof part["text"] === "string" ? [part["text"]] : []))
    .join("\n");
}

function callOf(call: JsonObject): { readonly name: string; readonly arguments: JsonValue } {
  const inner = isObject(call["function"]) ? call["function"] : call;
  const args = inner["arguments"] ?? call["args"] ?? {};
  const name = inner["name"];
  return {
    name: typeof name === "string" ? name : "",
    arguments: typeof args === "string" ? (parseJson(args) ?? args) : args,
  };
}
