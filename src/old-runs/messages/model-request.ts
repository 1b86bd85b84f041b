import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Message } from "../../model/message.ts";
import { plainName, textOf } from "./pick.ts";
import { readMessage } from "./read-message.ts";

/**
 * The messages of a `ModelRequest` or `ModelResponse` as Pydantic AI serialises them: `{ kind: "request", parts: [{ part_kind: "user-prompt", … }] }`.
 * The parts of a request are several speakers' words. Undefined for any other object.
 */
export function modelRequestMessages(value: JsonObject): readonly Message[] | undefined {
  const { parts, kind } = value;
  if (!isArray(parts)) return undefined;
  if (kind === "response") return [readMessage({ role: "assistant", parts }, "assistant")];
  if (kind !== "request") return undefined;
  const instructions = textOf(value["instructions"]);
  const system = instructions === undefined ? [] : [{ role: "system", content: instructions }];
  return [...system, ...parts.flatMap(spoken)].map((message) => readMessage(message, "user"));
}

function spoken(part: JsonValue): JsonObject[] {
  if (!isObject(part)) return [];
  const kind = plainName(textOf(part["part_kind"]) ?? "");
  const content = part["content"] ?? null;
  if (kind === "userprompt") return [{ role: "user", content }];
  if (kind === "systemprompt") return [{ role: "system", content }];
  return kind === "toolreturn" || kind === "retryprompt" ? [{ role: "tool", parts: [part] }] : [];
}
