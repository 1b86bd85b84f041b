import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { unfold } from "../messages/unfold.ts";
import { joinTexts, saysError } from "../messages/read-call.ts";
import { classKey } from "../text/python-repr.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** A tool's arguments without what decorators and frameworks wrap around them. */
export function unwrapArguments(value: JsonValue | undefined, depth = 0): JsonValue | undefined {
  if (value === undefined || value === null || depth > 4) return value ?? undefined;
  const inner = unfold(value);
  if (isArray(inner)) return inner.length === 1 ? unwrapArguments(inner[0], depth + 1) : inner;
  if (!isObject(inner)) return inner;
  if (isToolWords(inner)) return unwrapArguments(inner["content"] || undefined, depth + 1);
  const wrapped = wrappedArguments(inner);
  return wrapped === undefined ? inner : unwrapArguments(wrapped, depth + 1);
}

/** A tool's words as the message that carries them, `{ role: "tool", content: "…" }`, also where the producer does not know whose words they are. */
function isToolWords(value: JsonObject): boolean {
  const isTools = value["role"] === "tool" || value["role"] === "unknown";
  return isTools && typeof value["content"] === "string" && onlyKeys(value, "role", "content");
}

function wrappedArguments(value: JsonObject): JsonValue | undefined {
  const { args, kwargs, inputs, input_str: text, tool_call: call } = value;
  if (value["type"] === "json" && onlyKeys(value, "type", "value")) return value["value"];
  const printed = value["type"] === "text" && onlyKeys(value, "type", "value") ? value["value"] : undefined;
  if (typeof printed === "string" && isObject(unfold(printed))) return printed;
  if (text !== undefined && "inputs" in value) return isObject(inputs) ? inputs : text;
  if (isObject(call) && "args" in call) return call["args"];
  if (value["type"] === "tool_call" && isObject(args)) return args;
  if ("kwargs" in value || (isArray(args) && onlyKeys(value, "args"))) {
    if (isObject(kwargs) && Object.keys(kwargs).length > 0) return kwargs;
    return isArray(args) && args.length > 0 ? args : Object.create(null);
  }
  if (onlyKeys(value, "input", "type") && "input" in value) {
    const inner = unfold(value["input"] ?? null);
    return isObject(inner) ? inner : undefined;
  }
  return undefined;
}

const envelopes = wordList(`
  content output result outputs response raw_output tool_output value text parts return_value
`);

/** A tool's result without envelopes around it; text that is JSON stays text. */
export function unwrapResult(value: JsonValue | undefined, depth = 0): JsonValue | undefined {
  if (value === undefined || value === null || depth > 6) return value ?? undefined;
  const inner = unfold(value, 1);
  if (typeof inner === "string")
    return inner === value ? withoutReminders(inner) : unwrapResult(inner, depth + 1);
  if (isArray(inner)) {
    const [only] = inner;
    if (inner.length === 1 && isObject(only) && isToolWords(only)) return unwrapResult(only, depth + 1);
    const text = joinTexts(inner);
    return typeof text === "string" ? unwrapResult(text, depth + 1) : inner.length === 0 ? inner : value;
  }
  if (!isObject(inner)) return value;
  if (isToolWords(inner)) return unwrapResult(inner["content"] || undefined, depth + 1);
  const outcome = printedOutcome(value, inner);
  if (outcome !== undefined) return unwrapResult(outcome.error ?? outcome.result, depth + 1);
  const wrapped = wrappedResult(inner);
  return wrapped === undefined ? value : unwrapResult(wrapped, depth + 1);
}

/** What a framework printed of how a call ended: `status='success' result='12' error=None`. The same keys in JSON are the tool's own words. */
function printedOutcome(
  text: JsonValue,
  { status, result, error }: JsonObject,
): { readonly result: JsonValue; readonly error: JsonValue } | undefined {
  if (typeof text !== "string" || text.trimStart().startsWith("{")) return undefined;
  if (typeof status !== "string" || result === undefined || error === undefined) return undefined;
  return { result, error };
}

/** Claude Code adds words to the model behind what a tool returned. */
function withoutReminders(text: string): string {
  if (!text.endsWith(reminderEnd)) return text;
  const at = text.lastIndexOf("<system-reminder>");
  return at < 0 ? text : withoutReminders(text.slice(0, at).trimEnd());
}

const reminderEnd = "</system-reminder>";

function wrappedResult(value: JsonObject): JsonValue | undefined {
  const printed = classKey in value ? joinTexts(value["content"]) : undefined;
  if (typeof printed === "string") return printed;
  for (const key of ["kwargs", "data"]) {
    const core = value[key];
    if (isObject(core) && "content" in core && ("tool_call_id" in core || "type" in value))
      return core["content"];
  }
  if ("tool_call_id" in value && "content" in value) return value["content"];
  if ("tool_name" in value && isArray(value["blocks"]) && value["raw_output"] === undefined)
    return value["blocks"];
  if (
    "response" in value &&
    onlyKeys(value, "id", "name", "response", "scheduling", "will_continue", "parts")
  ) {
    return value["response"] ?? undefined;
  }
  for (const key of ["raw_output", "tool_output"])
    if (value[key] !== undefined && value[key] !== null) return value[key];
  if ("output" in value && onlyKeys(value, "output", "kwargs", "type")) return value["output"] ?? undefined;
  if (isArray(value["content"]) && Object.keys(value).every((key) => key === "content" || isFlag(value[key])))
    return value["content"];
  for (const key of envelopes)
    if (key in value && onlyKeys(value, key, "type", "isError")) return value[key] ?? undefined;
  return undefined;
}

/** Whether an object that a framework printed as a tool's result says that the tool failed: `ToolResponse(…, state=<State.ERROR: 'error'>)`. */
export function printsError(value: JsonValue | undefined): boolean {
  const inner = value === undefined ? undefined : unfold(value);
  if (value === undefined || !isObject(inner)) return false;
  if ((printedOutcome(value, inner)?.error ?? null) !== null) return true;
  if (!(classKey in inner)) return false;
  const { state } = inner;
  return saysError(inner) || (typeof state === "string" && /^(?:error|failed|failure)$/i.test(state));
}

/** What may stand beside a list of parts: `{ content: […], isError: false, metadata: null }`. */
function isFlag(value: JsonValue | undefined): boolean {
  return value === null || typeof value === "boolean";
}

function onlyKeys(value: JsonObject, ...allowed: readonly string[]): boolean {
  return Object.keys(value).every((key) => allowed.includes(key));
}
