import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import type { ReturnedResult } from "../../model/message.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import { isRoleWord, roleNamed } from "../undeclared/role-words.ts";
import { undeclaredValue } from "../undeclared/undeclared-events.ts";
import { readResult, shownOnly } from "../messages/read-call.ts";
import { messagesWithin } from "../messages/read-messages.ts";
import { unfold } from "../messages/unfold.ts";
import type { SpanSource } from "./span-source.ts";
import { isPlaceholder } from "../text/placeholder.ts";
import { printsError, unwrapArguments, unwrapResult } from "./read-arguments.ts";
import { exceptionsOf, failureText, isControlFlow } from "./read-failure.ts";

/** What a tool span says of its call. Undefined: not said. */
export interface ToolSpanValues {
  readonly name: string | undefined;
  readonly callId: string | undefined;
  readonly arguments: JsonValue | undefined;
  readonly result: JsonValue | undefined;
  readonly error: string | null;
}

/** Reads what a tool's span says of its call; callers use `SpanNode.tool`, which reads once. */
export function readTool(node: SpanSource): ToolSpanValues {
  if (!hasContent(node)) node.reading.infer();
  const given = printedFields(node) ?? node.json("result") ?? node.json("output");
  const message = toolMessageIn(given) ?? eventResult(node);
  const returned =
    message?.content ?? given ?? undeclaredValue(node.attached.uncorrelated, "result", "output");
  const result = shownOnly(nullAsUndefined(unwrapResult(returned)));
  return {
    name: toolName(node) ?? message?.name ?? undefined,
    callId: node.text("callId") ?? message?.callId ?? undefined,
    arguments: shownOnly(
      unwrapArguments(
        node.json("arguments") ??
          node.json("input") ??
          eventArguments(node) ??
          undeclaredValue(node.attached.uncorrelated, "arguments", "input"),
      ),
    ),
    result,
    error: toolError(node, result, message) ?? printedError(returned, result),
  };
}

/** The text of an object that was printed field by field (`status='success' result='12'`): once parsed, it would look like JSON that the tool returned. */
function printedFields(node: SpanSource): string | undefined {
  const text = node.text("result") ?? node.text("output");
  return text !== undefined && /^[a-z_]+=/.test(text) ? text : undefined;
}

function hasContent({ reading }: SpanSource): boolean {
  const isAsked = reading.has("arguments") || reading.has("input");
  return isAsked && (reading.has("result") || reading.has("output"));
}

/** Names of classes and templates that stand where a tool's name should. */
const noName =
  /^(?:Dynamic\w*Tool|StructuredTool|FunctionTool(?:\.\w+)?|BaseTool|Tool|ToolNode|tool|function)$|\{.*\}|^running \d* ?tools?$/;

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
];

function givenName(node: SpanSource): string | undefined {
  const given = node.text("tool");
  return given ?? (node.reading.infer() === undefined ? undefined : node.text("tool"));
}

export function toolName(node: SpanSource): string | undefined {
  const given = givenName(node);
  if (given !== undefined && !isNoName(given)) return given;
  const { name } = node.span;
  for (const pattern of namePatterns) {
    const match = pattern.exec(name)?.[1];
    if (match !== undefined && !isNoName(match) && !isPlaceholder(match)) return match;
  }
  const isName = !isNoName(name) && !/[\s/]/.test(name) && !isPlaceholder(name) && !isOperation(name);
  return given === undefined && isName ? name : undefined;
}

/** `ai.toolCall`: what a span does, not what it calls. */
function isOperation(name: string): boolean {
  return isRoleWord(name) || (name.includes(".") && roleNamed(name) === "tool");
}

/** LangChain and others return the message that goes back to the model, with name, id and state in it. */
function toolMessageIn(value: JsonValue | undefined): ReturnedResult | undefined {
  if (value === undefined) return undefined;
  const inner = unfold(value);
  if (!isObject(inner) && !isArray(inner)) return undefined;
  if (!mentionsCallId(inner, 0)) return undefined;
  const core = isObject(inner) && isObject(inner["output"]) ? inner["output"] : inner;
  if (isObject(core) && typeof core["tool_call_id"] === "string" && "content" in core)
    return readResult(core);
  const results = messagesWithin(inner, "tool").flatMap((message) => message.results);
  return results[results.length - 1];
}

function mentionsCallId(value: JsonValue | undefined, depth: number): boolean {
  if (depth > 5 || typeof value !== "object" || value === null) return false;
  if (isArray(value)) return value.some((item) => mentionsCallId(item, depth + 1));
  if ("tool_call_id" in value) return true;
  for (const key in value) {
    const inner = value[key];
    if (typeof inner === "object" && mentionsCallId(inner, depth + 1)) return true;
  }
  return false;
}

/** Tool spans that carry their content in events: what went in is the tool's message, what came out the choice. */
function eventArguments(node: SpanSource): JsonValue | undefined {
  for (const message of node.attached.inputs) {
    const content = message.results[0]?.content ?? message.calls[0]?.arguments;
    if (content !== undefined) return content;
  }
  return undefined;
}

function eventResult(node: SpanSource): ReturnedResult | undefined {
  for (const message of node.attached.outputs) {
    if (message.results[0] !== undefined) return message.results[0];
    if (message.text !== null) return { callId: null, name: null, content: message.text, isError: false };
  }
  return undefined;
}

function nullAsUndefined(value: JsonValue | undefined): JsonValue | undefined {
  return value === "null" || value === null ? undefined : value;
}

/** A tool's failure also shows in its result, or in an exception under an OK status. */
function toolError(
  node: SpanSource,
  result: JsonValue | undefined,
  message: ReturnedResult | undefined,
): string | null {
  if (node.failure !== null) return lacksFailureText(node) ? (saidIn(result) ?? node.failure) : node.failure;
  if (exceptionsOf(node.span).length > 0) return failureText(node.reading);
  const error = errorInResult(result);
  if (error !== undefined) return error;
  if (message?.isError === true) return typeof result === "string" ? result : "error";
  if (isControlFlow(node.reading)) return null;
  if (node.text("errorType") !== undefined) return failureText(node.reading);
  return result === undefined ? (node.text("error") ?? null) : null;
}

function printedError(returned: JsonValue | undefined, result: JsonValue | undefined): string | null {
  if (!printsError(returned)) return null;
  return typeof result === "string" && result !== "" ? result : "error";
}

/** It failed, and nothing on the span says how. */
function lacksFailureText(node: SpanSource): boolean {
  return node.failure === "error" || node.failure === node.text("errorType");
}

function saidIn(result: JsonValue | undefined): string | undefined {
  return typeof result === "string" && result !== "" ? result : undefined;
}

/** A result that is nothing but an error, or that the protocol marks as one. */
export function errorInResult(result: JsonValue | undefined): string | undefined {
  const value = result === undefined ? undefined : unfold(result, 1);
  if (!isObject(value)) return undefined;
  const { error } = value;
  if (value["isError"] === true) return JSON.stringify(value["content"] ?? "error");
  if (error === undefined || error === null || error === false || error === "") return undefined;
  const others = Object.keys(value).filter((key) => key !== "error" && key !== "status" && key !== "success");
  return others.length === 0 ? (typeof error === "string" ? error : JSON.stringify(error)) : undefined;
}
