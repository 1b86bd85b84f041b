import { isArray, isObject, type JsonObject, type JsonValue, parseJson } from "../../model/json.ts";
import type { Message, ReturnedResult } from "../../model/message.ts";
import type { ModelRequest } from "../../model/model-exchange.ts";
import { canonicalJson } from "../../support/structures/canonical-json.ts";
import { oneLine } from "./one-line.ts";
import { type ReducedTool, reduceTool } from "./reduce-tool.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** One part of a history: text, tool call or tool result. */
export interface RequestPart {
  readonly kind: "user" | "assistant" | "tool call" | "result";
  /** Tool name of calls and results; null if unknown. */
  readonly tool: string | null;
  /** The original text. */
  readonly text: string;
  /** The text that is compared with the recording. */
  readonly key: string;
  /**
   * Returns the steps in a text of several lines, each as it is compared with the recording; absent for other parts. A step is a line, or an
   * object of a list in a line.
   */
  readonly steps?: () => readonly string[];
}

/** The parts of a request that are compared with the recording. An unknown part is null. */
export interface ReducedRequest {
  readonly model: string | null;
  readonly system: { readonly text: string; readonly key: string } | null;
  readonly parts: readonly RequestPart[] | null;
  readonly tools: readonly ReducedTool[] | null;
  /** Whether more tools were offered to the model than the telemetry lists. */
  readonly hasMoreTools?: boolean;
}

/** Removes text that differs in each run. */
export type Mask = (text: string) => string;

export type RequestReducer = (request: ModelRequest) => ReducedRequest;

/** Returns a function that reduces requests. It caches its results, because each request is compared with many recorded requests. */
export function requestReducer(mask: Mask): RequestReducer {
  const reducedByRequest = new WeakMap<ModelRequest, ReducedRequest>();
  return (request) => {
    const reduced = reducedByRequest.get(request) ?? reduceRequest(request, mask);
    reducedByRequest.set(request, reduced);
    return reduced;
  };
}

/**
 * Reduces a request to the parts that are compared. Removes ids, sampling parameters, differences in white space, and text that the mask
 * removes.
 */
function reduceRequest({ model, system, messages, tools }: ModelRequest, mask: Mask): ReducedRequest {
  return {
    model,
    system: system === null ? null : { text: system, key: plain(system, mask) },
    parts: messages === null ? null : partsOf(messages, mask),
    tools: tools?.map((tool) => reduceTool(tool, (text) => plain(text, mask))) ?? null,
  };
}

/** Returns the history as parts. Consecutive texts of one role are one part. Tool results are in the order of their calls. */
function partsOf(messages: readonly Message[], mask: Mask): readonly RequestPart[] {
  const parts: RequestPart[] = [];
  const calls = new Map<string, { readonly name: string | null; readonly index: number }>();
  let results: { readonly part: RequestPart; readonly index: number }[] = [];
  const words = new Words(parts, mask);
  // A tool result always follows its call. So in a history without calls, a result without id and tool name is not a tool result, but was
  // sent as text.
  const hasCalls = messages.some((message) => message.calls.length > 0);
  const isText = ({ callId, name }: ReturnedResult): boolean => !hasCalls && callId === null && name === null;
  const flush = (): void => {
    // Parallel tools may end in any order, so their results are sorted by the order of the calls.
    parts.push(...results.toSorted((a, b) => a.index - b.index).map(({ part }) => part));
    results = [];
  };
  const addResult = (result: ReturnedResult): void => {
    const { callId, name, content } = result;
    if (isText(result)) return words.add("user", resultText(content));
    const call = callId === null ? undefined : calls.get(callId);
    const text = resultText(content);
    const tool = name ?? call?.name ?? null;
    const part = { kind: "result", tool, text, key: plain(text, mask) } as const;
    results.push({ part, index: call?.index ?? calls.size + results.length });
  };
  for (const message of messages) {
    const own = new Set(message.calls.map(({ id }) => id));
    const isOwn = ({ callId }: ReturnedResult): boolean => callId !== null && own.has(callId);
    message.results.filter((result) => !isOwn(result)).forEach(addResult);
    const hasMore = message.calls.length > 0 || (message.text ?? "").trim() !== "";
    if (hasMore) {
      if (results.length > 0) words.end();
      flush();
    }
    if (message.text !== null) words.add(message.role === "assistant" ? "assistant" : "user", message.text);
    if (message.calls.length > 0) words.end();
    for (const call of message.calls) {
      if (call.id !== null) calls.set(call.id, { name: call.name, index: calls.size });
      const text = argumentsText(call.arguments);
      parts.push({
        kind: "tool call",
        tool: call.name,
        text,
        key: plain(`${call.name ?? ""} ${text}`, mask),
      });
    }
    // Results of calls in the same message; some telemetry has both in one message. They are added after the calls.
    message.results.filter(isOwn).forEach(addResult);
  }
  words.end();
  flush();
  return parts;
}

/** Consecutive texts of one role. The texts are joined at the end, so that the mask is applied only once. */
class Words {
  readonly #parts: RequestPart[];
  readonly #mask: Mask;
  #kind: "user" | "assistant" = "user";
  #texts: string[] = [];

  constructor(parts: RequestPart[], mask: Mask) {
    this.#parts = parts;
    this.#mask = mask;
  }

  add(kind: "user" | "assistant", text: string): void {
    if (text.trim() === "") return;
    if (kind !== this.#kind) this.end();
    this.#kind = kind;
    this.#texts.push(text);
  }

  end(): void {
    if (this.#texts.length === 0) return;
    const text = this.#texts.join("\n");
    this.#texts = [];
    const mask = this.#mask;
    const isLong = text.includes("\n");
    const steps = (): string[] => text.split("\n").flatMap((line) => stepsIn(plain(line, mask)));
    const part = { kind: this.#kind, tool: null, text, key: plain(text, mask) };
    this.#parts.push(isLong ? { ...part, steps } : part);
  }
}

/** Splits a line at the objects of a list, such as `[{"a": 1}, {"b": 2}]`. The steps do not contain the commas and brackets of the list. */
function stepsIn(line: string): string[] {
  return line
    .split(/(?<=\}) ?, ?(?=\{)/)
    .map((step) => step.replace(/^\[(?=\{)/, "").replace(/(?<=\})\]?,?$/, ""));
}

function plain(text: string, mask: Mask): string {
  return oneLine(mask(text));
}

function argumentsText(given: JsonValue | undefined): string {
  const value = typeof given === "string" ? (parseJson(given) ?? given) : given;
  return value === undefined || value === null || value === "" ? "{}" : canonicalJson(withoutNulls(value));
}

/**
 * Removes arguments whose value is null, because an agent may omit an optional argument or send null. A null within an argument's value
 * stays.
 */
function withoutNulls(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null));
}

/** Returns the text of a tool result, without the wrappers of protocols and frameworks. */
function resultText(content: JsonValue | undefined): string {
  if (content === undefined || content === null) return "";
  const value = unwrapped(content, 0);
  return typeof value === "string" ? value : canonicalJson(value);
}

const envelopes: readonly string[] = wordList("result return_value error output content response text value");
const DEEPEST = 6;

function unwrapped(value: JsonValue, depth: number): JsonValue {
  if (depth > DEEPEST) return value;
  if (typeof value === "string") {
    const inner = /^\s*[[{"\d]/.test(value) ? parseJson(value) : undefined;
    return inner === undefined || typeof inner === "number" ? value.trim() : unwrapped(inner, depth + 1);
  }
  if (isArray(value)) {
    const texts = value.map((item) => {
      const part = isObject(item) ? (item["message_content"] ?? item) : null;
      return isObject(part) ? textIn(part) : undefined;
    });
    const isText = texts.length > 0 && texts.every((text) => typeof text === "string");
    return isText ? unwrapped(texts.join("\n"), depth + 1) : value;
  }
  if (!isObject(value)) return value === null ? "" : String(value);
  const text = textIn(value);
  if (text !== undefined) return unwrapped(text, depth + 1);
  const [only, ...others] = Object.keys(value);
  if (only === undefined || others.length > 0 || !envelopes.includes(only)) return value;
  return unwrapped(value[only] ?? null, depth + 1);
}

/** The text of a part; undefined for parts that are not text. */
function textIn({ type, text, content }: JsonObject): string | undefined {
  const words = text ?? (type === "text" ? content : undefined);
  const isText = type === "text" || type === "input_text" || type === "output_text";
  return isText && typeof words === "string" ? words : undefined;
}
