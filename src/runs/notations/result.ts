import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { wordList } from "../../support/structures/word-list.ts";
import { areFlags, hasOnly, isToolWords } from "./arguments.ts";
import * as field from "./fields.ts";
import { classKey } from "./loose-text.ts";
import { messagesWithin } from "./read-messages.ts";
import { isPlaceholder } from "./names.ts";
import { isCutText, isOpen, parseText } from "./parse-text.ts";
import { saysError, textOf } from "./parts.ts";

const MAX_DEPTH = 10;

/** A tool's result, without the wrapper objects (envelopes) of protocols and frameworks. */
export class ToolOutcome {
  /** The result; JSON text is not parsed. Undefined if no result was recorded. */
  value: JsonValue | undefined = undefined;
  isError = false;
  /** Error message; null if the tool did not fail. */
  error: string | null = null;
  /** Whether the producer truncated the result. */
  isCut = false;
  /** Id of the call, if the result is a tool message; otherwise null. */
  callId: string | null = null;
  name: string | null = null;
}

/** Reads a tool's result in any notation. */
export function outcomeOf(raw: JsonValue | undefined): ToolOutcome {
  const outcome = new ToolOutcome();
  const content = toolMessageIn(raw, outcome);
  takeOff(content === undefined ? raw : content, outcome);
  // The tool message may also be inside envelopes.
  const inner = outcome.value;
  if (content === undefined && inner !== raw && isObject(inner)) {
    const enclosed = toolMessageIn(inner, outcome);
    if (enclosed !== undefined) takeOff(enclosed, outcome);
  }
  if (typeof outcome.value === "string") finishText(outcome, outcome.value);
  const error = errorAlone(outcome.value);
  if (error !== undefined) outcome.isError = true;
  if (outcome.isError)
    outcome.error =
      error ?? (typeof outcome.value === "string" && outcome.value !== "" ? outcome.value : "error");
  return outcome;
}

/** Matches the complete text that coding agents return to the model for a failed tool. */
const failedText = /^\s*<(tool_(?:use_|call_)?error)>([\s\S]*)<\/\1>\s*$/;

/** Text with which Pydantic AI asks the model to repeat a failed tool call. */
const retryRequest = "\n\nFix the errors and try again.";

/** Matches Qwen-Agent's result of a tool that raised an exception. The stack trace follows this text. */
const raisedText = /^An error occurred when calling tool `[^`\n]+`:\n(.+)(?:\n|$)/;

/** Matches rig's result of a tool that failed; the outer layers repeat the name of the error type. */
const toolsetError = /^Toolset error: (?:ToolCallError: )+([\s\S]+)$/;

function finishText(outcome: ToolOutcome, given: string): void {
  const failed = given.endsWith(retryRequest)
    ? given.slice(0, -retryRequest.length)
    : (failedText.exec(given)?.[2] ?? raisedText.exec(given)?.[1] ?? toolsetError.exec(given)?.[1]);
  if (failed !== undefined) outcome.isError = true;
  const text = failed ?? given;
  outcome.value = text === "null" || isPlaceholder(text) ? undefined : withoutReminders(text);
  if (isCutText(text)) outcome.isCut = true;
}

/** Removes all envelopes around a result, and sets `outcome.value`. */
function takeOff(given: JsonValue | undefined, outcome: ToolOutcome): void {
  let value = given;
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    outcome.value = value ?? undefined;
    if (value === undefined || value === null) return;
    let inner: JsonValue | undefined = value;
    if (typeof value === "string") {
      const parsed = parseText(value);
      if (parsed === undefined) return;
      inner = parsed.value;
    }
    if (isOpen(inner)) outcome.isCut = true;
    if (isObject(inner))
      inner = contentOf(inner, typeof value === "string" && !/^\s*\{/.test(value), outcome);
    else if (isArray(inner)) inner = contentOfPair(inner, outcome) ?? wordsOf(inner);
    else if (inner === value) return;
    if (inner === undefined) return;
    value = inner;
  }
}

/** Returns the content of AG2's pair of a success flag and a function's message; undefined for any other list. */
function contentOfPair(list: readonly JsonValue[], outcome: ToolOutcome): JsonValue | undefined {
  const [isSuccess, message] = list;
  if (list.length !== 2 || typeof isSuccess !== "boolean" || !isObject(message)) return undefined;
  if (message["role"] !== "function" || !hasOnly(message, "name", "role", "content")) return undefined;
  if (!isSuccess) outcome.isError = true;
  return message["content"];
}

/** Text parts joined to one text, or the value of a single JSON part; undefined for any other list. */
function wordsOf(list: readonly JsonValue[]): JsonValue | undefined {
  const texts: string[] = [];
  const [first] = list;
  if (list.length === 1 && isObject(first)) {
    if (isToolWords(first) || isFlaggedResult(first)) return first;
    // The parts of Bedrock's Converse API, of which a text may be empty.
    if (hasOnly(first, "json")) return first["json"];
    if (first["text"] === "" && hasOnly(first, "text", "type")) return "";
  }
  for (const part of list) {
    if (!isObject(part)) return undefined;
    const wrapped = part["message_content"];
    const { type, text, content } = isObject(wrapped) ? wrapped : part;
    const isText = type === "text" || type === "output_text" || type === "input_text";
    const partText = textOf(text) ?? (isText ? textOf(content) : null);
    if (partText === null) return undefined;
    texts.push(partText);
  }
  return texts.length === 0 ? undefined : texts.join("\n");
}

const envelopes = wordList(`
  content output result outputs response raw_output tool_output value text parts return_value
`);

/** Keys next to the content in a result of the Model Context Protocol. Flags are not listed. */
const besideContent = wordList(
  "content structuredContent structured_content _meta meta annotations artifact type",
);

/** Keys next to a tool's output in an envelope: for the tool call, and for displaying the output. */
const besideOutput = wordList(`
  id tool toolName tool_name toolArgs toolDescription toolCallId call_id title metadata description attachments
  toolCallMetadata resultKind result parts
`);

/** Returns the content of an envelope; null if the envelope is empty, undefined if the object is not an envelope. */
function contentOf(object: JsonObject, isPrinted: boolean, outcome: ToolOutcome): JsonValue | undefined {
  const { content } = object;
  // A printed text with only `isError=True` is a text about the flag, and does not set the flag.
  const isFlagged = object["isError"] === true && (!isPrinted || content !== undefined);
  if (isFlagged || (object["is_error"] === true && isFlaggedResult(object))) outcome.isError = true;
  const errorText = outcome.isError && isArray(content) ? wordsOf(content) : undefined;
  if (errorText !== undefined) return errorText;
  if (isToolWords(object)) return content === "" ? null : content;
  const response = contentOfResponse(object, outcome);
  if (response !== undefined) return response;
  const { status, result, error } = object;
  // `status='success' result='12' error=None` is a framework's printed result, and thus an envelope. A JSON object with `status`, `result`
  // and `error` is the tool's own result.
  if (isPrinted && typeof status === "string" && result !== undefined && error !== undefined) {
    if (error !== null) outcome.isError = true;
    return error ?? result;
  }
  if (classKey in object) {
    if (saysError(field.fieldsOf(object))) outcome.isError = true;
    const contentText = isArray(content) ? wordsOf(content) : content;
    if (typeof contentText === "string") return contentText;
  }
  return contentOfEnvelope(object);
}

/**
 * Whether an object is a result of MCP or of Anthropic's API: content, and a flag for an error. Python clients of MCP name the flag
 * `is_error`.
 */
function isFlaggedResult({ content, isError, is_error: flag, tool_use_id: callId }: JsonObject): boolean {
  if (content === undefined || typeof (isError ?? flag) !== "boolean") return false;
  return isArray(content) || callId !== undefined;
}

/** Returns the result of a JSON-RPC response; if the response has an error, the error; undefined for any other object. */
function contentOfResponse(object: JsonObject, outcome: ToolOutcome): JsonValue | undefined {
  if (!("jsonrpc" in object) || !hasOnly(object, "jsonrpc", "id", "result", "error")) return undefined;
  const { result, error } = object;
  if (error === undefined || error === null) return result ?? undefined;
  outcome.isError = true;
  return isObject(error) && typeof error["message"] === "string" ? error["message"] : error;
}

function contentOfEnvelope(object: JsonObject): JsonValue | undefined {
  // The envelope of Gemini's function response.
  if (hasOnly(object, "id", "name", "response", "scheduling", "will_continue", "parts"))
    return object["response"] ?? undefined;
  // Pydantic AI's `ToolReturn`, which may contain further content for the model.
  if (object["kind"] === "tool-return" && "return_value" in object)
    return object["return_value"] ?? undefined;
  const { content, blocks, raw_output: rawOutput, tool_output: toolOutput } = object;
  if (rawOutput !== undefined && rawOutput !== null) return rawOutput;
  if (toolOutput !== undefined && toolOutput !== null) return toolOutput;
  if ("tool_name" in object && isArray(blocks)) return blocks;
  if ("output" in object && hasOnly(object, "output", "kwargs", "type")) return object["output"] ?? undefined;
  // `content` next to `output` can repeat the output as parts.
  if (
    "output" in object &&
    hasOnly(object, "output", ...(isArray(content) ? ["content"] : []), ...besideOutput)
  )
    return object["output"] ?? undefined;
  if (isArray(content) && areFlags(object, ...besideContent)) return content;
  // A command's output of Claude Code: the text, and flags of its display.
  const { stdout, stderr, interrupted } = object;
  if (
    interrupted === false &&
    stderr === "" &&
    typeof stdout === "string" &&
    areFlags(object, "stdout", "stderr")
  )
    return stdout;
  // A result of MCP may repeat its text as structured content.
  for (const key of envelopes)
    if (key in object && hasOnly(object, key, "type", "isError", "structuredContent"))
      return object[key] ?? undefined;
  return undefined;
}

/** Removes the text that Claude Code appends to a tool's result for the model. */
function withoutReminders(text: string): string {
  let remaining = text;
  while (remaining.endsWith("</system-reminder>")) {
    const at = remaining.lastIndexOf("<system-reminder>");
    if (at < 0) break;
    remaining = remaining.slice(0, at).trimEnd();
  }
  return remaining;
}

/** Returns the error of a result that contains only an error; undefined for any other result. */
function errorAlone(value: JsonValue | undefined): string | undefined {
  const inner = typeof value === "string" && /^\s*\{/.test(value) ? parseText(value)?.value : value;
  if (!isObject(inner) || isOpen(inner)) return undefined;
  const { error } = inner;
  if (error === undefined || error === null || error === false || error === "") return undefined;
  if (!hasOnly(inner, "error", "status", "success")) return undefined;
  return typeof error === "string" ? error : JSON.stringify(error);
}

/**
 * Returns the content of the last tool message in a value; null if the message has no content, undefined if there is no tool message.
 * Frameworks write a tool's result as the message to the model, with name, id and state.
 */
function toolMessageIn(raw: JsonValue | undefined, outcome: ToolOutcome): JsonValue | undefined {
  if (typeof raw === "string" && !raw.includes("tool_call_id")) return undefined;
  const messages = messagesWithin(raw, "tool");
  const results = messages.flatMap((message) => message.results).filter(({ callId }) => callId !== null);
  const last = results[results.length - 1];
  if (last === undefined) return undefined;
  outcome.isCut = messages[messages.length - 1]?.isCut === true;
  outcome.callId = last.callId;
  outcome.name = last.name;
  outcome.isError = last.isError;
  return last.content ?? null;
}
