import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import type { Field } from "../../../adapters/field-names.ts";
import { isMessage } from "../messages/read-message.ts";
import { roleOf } from "../messages/roles.ts";
import { unfold } from "../messages/unfold.ts";
import { hasCounts } from "../span/read-usage.ts";

/** Names that OpenTelemetry gives to what is around a span: their values are no agent's. */
const surroundings =
  /^(?:http|url|net|network|server|client|db|rpc|messaging|k8s|host|os|process|telemetry|service|thread|code|exception|user_agent|peer|otel|enduser|cloud|container|deployment|faas|aws|gcp|azure|browser|device|log|event|tls|user)\./;

/** Whether an attribute whose name says nothing is worth a look at its value. */
export function mayTellByValue(name: string): boolean {
  return !surroundings.test(name);
}

const models =
  /^(?:[\w.-]+\/)?(?:gpt-\d|chatgpt-|o[134](?:-|$)|claude-|gemini-\d|gemma|llama-?\d|mi[sx]tral-|codestral|qwen|deepseek-|command-|grok-|nova-|phi-?\d)[\w.:-]*$/i;
const speaksOfMessages = /["'](?:role|_role|tool_calls|toolCalls)["']/;
const speaksOfTokens = /token/i;
const LONGEST_NAME = 80;

/** What a value is by its looks alone: messages, an answer, token counts, a model's name. */
export function fieldOfValue(value: JsonValue | undefined): Field | undefined {
  if (typeof value !== "string") return isObject(value) || isArray(value) ? fieldOf(value) : undefined;
  if (value.length <= LONGEST_NAME && models.test(value)) return "model";
  const first = value.charCodeAt(0);
  if (first !== 91 && first !== 123) return undefined; // "[" or "{"
  if (!speaksOfMessages.test(value) && !speaksOfTokens.test(value)) return undefined;
  return fieldOf(unfold(value, 1));
}

function fieldOf(value: JsonValue): Field | undefined {
  if (isObject(value)) {
    if (isMessage(value)) return isAnswer(value) ? "outputMessages" : "inputMessages";
    return hasCounts(value) ? "usage" : undefined;
  }
  if (!isArray(value) || value.length === 0) return undefined;
  const items = value.filter(isMessage);
  if (items.length < value.length) return undefined;
  return items.every(isAnswer) ? "outputMessages" : "inputMessages";
}

function isAnswer(message: JsonObject): boolean {
  const inner = message["message"];
  return (roleOf(message) ?? (isObject(inner) ? roleOf(inner) : undefined)) === "assistant";
}
