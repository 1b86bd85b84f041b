import type { JsonValue } from "../../model/json.ts";
import { derivedOnce, remembered } from "../../support/structures/bounded-memo.ts";
import type { EventView, LogView } from "../../model/telemetry/span-view.ts";
import { nameOfRecord } from "../facts/events.ts";
import { exceptionOf, failureText } from "../facts/failure.ts";
import { F } from "../facts/fields.ts";
import { isRoleWord, roleNamed } from "../facts/role-words.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { argumentsOf } from "../notations/arguments.ts";
import { isPlaceholder } from "../notations/names.ts";
import { outcomeOf, type ToolOutcome } from "../notations/result.ts";
import { eventMessages } from "./event-messages.ts";

/** Fields of a tool call from its span; undefined if absent or truncated. */
export interface ToolSpan {
  readonly name: string | null;
  readonly callId: string | null;
  readonly arguments: JsonValue | undefined;
  readonly result: JsonValue | undefined;
  readonly error: string | null;
  /** Whether the span has only the beginning of the result. */
  readonly isResultCut: boolean;
  /** Whether the span has an empty text as its result. The result may be elsewhere, such as in the messages. */
  readonly isResultEmpty: boolean;
}

/** Matches names of classes, templates and libraries, and digests instead of hidden names, which are not tool names. */
const noName =
  /^(?:langchain|langgraph|llama_?index|Dynamic\w*Tool|StructuredTool|FunctionTool(?:\.\w+)?|BaseTool|MCPTool(?:Action|Executor\.call_tool)|Tool|ToolNode|tool|function)$|\{[^{}\n]*\}|^running \d* ?tools?$|^(?:\/?[0-9a-f]{64})+$/;
const isNoName = remembered((name) => noName.test(name));

const namePatterns: readonly RegExp[] = [
  /^execute_tool (.+)$/,
  /^running tool:? (.+)$/,
  /^tool[._]execution:(.+)$/,
  /^tools\/call (.+)$/,
  /^(?:\w+\.)*\w*tool_use (.+)$/,
  /^(?:tool|function)[:\s]+(.+)$/i,
  /^(.+)\.tool$/,
  /^(.+)\.run$/,
  /^([a-z_][\w-]*)\.(?:_run|arun|_arun|call|acall|__call__)$/,
];

/** Matches `tool.get_stock`, the name of a tool's span without a producer's attributes. Elsewhere, an operation may follow: `tool.approval`. */
const bareName = /^tool\.(?!(?:calls?|exec\w*|run|invo\w+|use|result|output|input|start|end)$)([\w-]+)$/;

function toolNameOf(facts: SpanFacts): string | null {
  const given = facts.tool;
  if (given !== null && !isNoName(given)) return given;
  const { name } = facts.span;
  const bare = facts.dialects.adapters.length === 0 ? bareName.exec(name)?.[1] : undefined;
  if (bare !== undefined && !isNoName(bare)) return bare;
  for (const pattern of namePatterns) {
    const match = pattern.exec(name)?.[1];
    if (match !== undefined && !isNoName(match) && !isPlaceholder(match)) return match;
  }
  const isName = !isNoName(name) && !/[\s/()]/.test(name) && !isPlaceholder(name) && !isOperation(name);
  return given === null && isName ? name : null;
}

/** Whether a name is an operation, such as `ai.toolCall`, and not a tool name. */
function isOperation(name: string): boolean {
  return isRoleWord(name) || (name.includes(".") && roleNamed(name) === "tool");
}

/** Reads the fields of a tool call from its span, once the span's sources are complete. */
export const readToolSpan = derivedOnce((facts: SpanFacts): ToolSpan => {
  const outcome = outcomeIn(facts);
  const name = toolNameOf(facts) ?? outcome.name;
  // The text as it was sent shows whether the producer truncated the arguments; a parsed value does not.
  const args = argumentsOf(
    facts.nthRaw(F.arguments, 0) ?? facts.nthRaw(F.input, 0) ?? eventContent(facts, false),
    name,
  );
  const result = outcome.isCut ? undefined : outcome.value;
  return {
    name,
    callId: facts.callId ?? outcome.callId,
    arguments: args.isCut ? undefined : args.value,
    result: result === null || result === "null" ? undefined : result,
    error: errorOf(facts, outcome.error, outcome.value),
    isResultCut: outcome.isCut,
    isResultEmpty: facts.span.hasEnd && [F.result, F.output].some((at) => facts.isEmptyAt(at)),
  };
});

/** Returns the result that a tool span contains: the first complete one; if all are truncated or absent, the first one. */
function outcomeIn(facts: SpanFacts): ToolOutcome {
  const printed = facts.textAt(F.result) ?? facts.textAt(F.output);
  const isPrinted = printed !== null && /^[a-z_]+=/.test(printed);
  const given = isPrinted ? printed : (facts.valueAt(F.result) ?? facts.valueAt(F.output));
  const first = outcomeOf(given ?? eventContent(facts, true));
  if (!first.isCut || given === undefined) return first;
  for (const other of [facts.valueAt(F.output), eventContent(facts, true)]) {
    const outcome = other === undefined || other === given ? first : outcomeOf(other);
    if (outcome.value !== undefined && !outcome.isCut) return outcome;
  }
  return first;
}

/**
 * Returns the input or output of a tool span whose content is in events or log records; undefined if there is none. The message with role
 * `tool` is the input, the choice is the output.
 */
function eventContent(facts: SpanFacts, isOutput: boolean): JsonValue | undefined {
  const { events, logs } = facts.span;
  for (const event of events) {
    const content = contentIn(event.name, event, undefined, isOutput);
    if (content !== undefined) return content;
  }
  for (const log of logs) {
    const content = contentIn(nameOfRecord(log), log, log.body, isOutput);
    if (content !== undefined) return content;
  }
  return undefined;
}

function contentIn(
  name: string,
  view: EventView | LogView,
  body: JsonValue | undefined,
  isOutput: boolean,
): JsonValue | undefined {
  const isChoice = name.endsWith("choice");
  if (isChoice !== isOutput || (!isChoice && !name.endsWith(".message"))) return undefined;
  for (const message of eventMessages(view, body, isChoice ? "assistant" : "tool")) {
    const [result] = message.results;
    const [call] = message.calls;
    const content =
      result?.content ??
      (isOutput ? (message.text ?? undefined) : (call?.arguments ?? message.text ?? undefined));
    if (content !== undefined) return content;
  }
  return undefined;
}

/**
 * Returns the tool's error message; null if there is none. The error may also be in the result, or in an exception on a span with status
 * OK. Without any of these, an error attribute counts only if there is no result.
 */
function errorOf(facts: SpanFacts, resultError: string | null, result: JsonValue | undefined): string | null {
  if (facts.failure !== null) {
    const isTyped = facts.failure === "error" || facts.failure === facts.textAt(F.errorType);
    return isTyped && typeof result === "string" && result !== "" ? result : facts.failure;
  }
  if (facts.isControlFlow) return null;
  if (exceptionOf(facts.span) !== null) return failureText(facts);
  if (resultError !== null) return resultError;
  if (facts.hasField(F.errorType) && facts.textAt(F.errorType) !== null) return failureText(facts);
  return result === undefined ? facts.textAt(F.error) : null;
}
