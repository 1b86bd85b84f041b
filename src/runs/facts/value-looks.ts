import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { unfold } from "../notations/parse-text.ts";
import { isMessage, speakerOf } from "../notations/message.ts";
import { readCounts } from "../notations/usage.ts";
import { VALUE } from "./attribute-words.ts";
import { F, NOWHERE } from "./fields.ts";

/** OpenTelemetry's names for the environment of a span. The values of these attributes do not describe agents. */
const surroundings =
  /^(?:http|url|net|network|server|client|db|rpc|messaging|k8s|host|os|process|telemetry|service|thread|code|exception|user_agent|peer|otel|enduser|cloud|container|deployment|faas|aws|gcp|azure|browser|device|log|event|tls|user)\./;

/** Whether to examine the value of an attribute without a meaningful name. */
export function mayTellByValue(name: string): boolean {
  return !surroundings.test(name);
}

/** Names of models, but not of programs such as `claude-agent-sdk`. */
const models =
  /^(?!.*-(?:sdk|code|cli)$)(?:[\w.-]+\/)?(?:gpt-\d|chatgpt-|o[134](?:-|$)|claude-|gemini-\d|gemma|llama-?\d|mi[sx]tral-|codestral|qwen|deepseek-|command-|grok-|nova-|phi-?\d)[\w.:-]*$/i;
const speaksOfMessages = /["'](?:role|_role|tool_calls|toolCalls)["']/;
const speaksOfTokens = /token/i;
const LONGEST_MODEL = 80;

/** Field of a value, inferred without its name: messages, an answer, token counts, a model name; `NOWHERE` for none. */
function fieldOfValue(value: JsonValue | undefined): number {
  if (typeof value !== "string") return value === undefined ? NOWHERE : fieldOf(value);
  if (value.length <= LONGEST_MODEL && models.test(value)) return F.model;
  const first = value.charCodeAt(0);
  if (first !== 91 && first !== 123) return NOWHERE; // "[" or "{"
  if (!speaksOfMessages.test(value) && !speaksOfTokens.test(value)) return NOWHERE;
  return fieldOf(unfold(value));
}

function fieldOf(value: JsonValue): number {
  if (isObject(value)) {
    if (isMessage(value)) return speakerOf(value) === "assistant" ? F.outputMessages : F.inputMessages;
    return holdsCounts(value) ? F.usage : NOWHERE;
  }
  if (!isArray(value) || value.length === 0) return NOWHERE;
  let isAnswer = true;
  for (const item of value) {
    if (!isObject(item) || !isMessage(item)) return NOWHERE;
    if (speakerOf(item) !== "assistant") isAnswer = false;
  }
  return isAnswer ? F.outputMessages : F.inputMessages;
}

function holdsCounts(value: JsonObject): boolean {
  const { input, output } = readCounts(value);
  return input !== undefined && output !== undefined;
}

/** Field of an undeclared attribute, by its name and value; `NOWHERE` for none. */
export function fieldOfGuess(meaning: number, value: JsonValue | undefined): number {
  return meaning === VALUE ? fieldOfValue(value) : mayBe(meaning, value) ? meaning : NOWHERE;
}

/** Matches flags, numbers and times, which are not text. */
const noWords = /^(?:true|false|null|none|\d+(?:\.\d+)?|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,Z+-]*)$/i;

/** Whether the value fits the meaning of the name. */
export function mayBe(field: number, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return false;
  switch (field) {
    // An empty output is a recorded answer without words.
    case F.output:
      return typeof value === "string" ? !noWords.test(value) : typeof value === "object";
    case F.input:
    case F.inputMessages:
    case F.outputMessages:
    case F.instructions:
    case F.agent:
    case F.tool:
      return typeof value === "string" ? value !== "" && !noWords.test(value) : typeof value === "object";
    case F.arguments:
      return !isSchema(value);
    case F.usage: {
      const { input, output } = readCounts(value);
      return input !== undefined || output !== undefined;
    }
    default:
      return true;
  }
}

/** Whether a value is a definition of parameters, which is not a value of arguments. */
function isSchema(value: JsonValue): boolean {
  if (typeof value === "string" && !value.includes('"type"')) return false;
  const inner = unfold(value);
  if (!isObject(inner)) return false;
  const all = Object.values(inner);
  return (
    all.length > 0 &&
    all.every((one) => isObject(one) && typeof one["type"] === "string" && "description" in one)
  );
}
