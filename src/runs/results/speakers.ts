import { isArray, isObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { above, isTool } from "../calls/tree.ts";
import { outputsOf } from "../calls/call-messages.ts";
import { repeatsFailure } from "../facts/failure.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { readMessages } from "../notations/message.ts";
import { unfold } from "../notations/parse-text.ts";
import { answerIn } from "../notations/words.ts";

/**
 * The spans whose output may be the run's answer, best first: the outermost one, then the agents within it that no tool ran, the last to end
 * first. A tool's span as root has no agent in the data: its output is a result, not an answer.
 */
export function speakersOf(root: SpanFacts, nodes: readonly SpanFacts[]): readonly SpanFacts[] {
  const inner = nodes.filter((node) => isSpeaker(node) && node !== root && above(node, isTool) === null);
  inner.sort((a, b) => b.end - a.end);
  return root.role === "tool" ? inner : [root, ...inner];
}

/** An agent, or the one step in which all of a run lies. */
function isSpeaker(node: SpanFacts): boolean {
  if (node.role === "agent" || node.role === "workflow") return true;
  return node.role === "step" && node.parent?.children.length === 1;
}

/** The answer that a span holds; null for none. */
export function answerOfSpan(node: SpanFacts): string | null {
  const said = wordsOfSpan(node);
  return said !== null && node.failure !== null && repeatsFailure(said, node.failure) ? null : said;
}

function wordsOfSpan(node: SpanFacts): string | null {
  for (const field of [F.outputText, F.outputMessages, F.output])
    for (let nth = 0; ; nth++) {
      const value = node.nthValue(field, nth);
      if (value === undefined) break;
      const found =
        (field === F.outputText ? structuredAnswer(value) : storedOutput(value, 0)) ?? answerIn(value);
      if (found !== null) return found;
    }
  if (node.span.events.length === 0 && node.span.logs.length === 0) return null;
  const said = outputsOf(node).findLast(
    ({ role, text, calls }) =>
      role === "assistant" && text !== null && text.trim() !== "" && calls.length === 0,
  );
  return said?.text ?? null;
}

const storedKeys = [
  "structured_response",
  "structuredResponse",
  "structured_output",
  "structuredOutput",
] as const;
/** Around a run's state. */
const stateKeys = ["outputs", "output", "result", "update", "data"] as const;

/** The structured result that frameworks store beside a run's messages, as its JSON; null for none. */
function storedOutput(value: JsonValue | undefined, depth: number): string | null {
  const inner = value === undefined ? undefined : unfold(value);
  if (!isObject(inner)) return null;
  for (const name of storedKeys) {
    const stored = inner[name];
    if (stored !== undefined && stored !== null && stored !== "") return plainJson(unfold(stored));
  }
  if (depth > 2) return null;
  for (const name of stateKeys) {
    const found = storedOutput(inner[name], depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** The result that a span of an agent says was stored; null for none. */
export function storedIn(node: SpanFacts): string | null {
  if (node.hasField(F.outputText)) return structuredAnswer(node.valueAt(F.outputText));
  return node.hasField(F.output) ? storedOutput(node.valueAt(F.output), 0) : null;
}

/** JSON of data; a text as it is. Classes that Python prints are no part of the data. */
function plainJson(value: JsonValue): string {
  if (typeof value === "string") return value;
  return JSON.stringify(value, (name, inner: JsonValue) => (name === "$class" ? undefined : inner));
}

/** A structured answer as its JSON: data that no framework wraps around a text; null for none. */
export function structuredAnswer(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "string") return value;
  if (typeof value !== "object" || readMessages(value, "assistant").length > 0) return null;
  if (isArray(value)) return value.length > 0 ? JSON.stringify(value) : null;
  return isDeferral(value) || holdsOnlyCounts(value) ? null : JSON.stringify(value);
}

/** Nothing, or only what a step used: no answer. */
function holdsOnlyCounts(value: JsonObject): boolean {
  return Object.entries(value).every(
    ([name, count]) =>
      (typeof count === "number" || isObject(count)) && /tokens?(?:_details)?$|^requests$/i.test(name),
  );
}

/** What Pydantic AI returns when an agent waits for a person: the calls to be run elsewhere and those to be approved. */
function isDeferral(value: JsonObject): boolean {
  return isArray(value["calls"]) && isArray(value["approvals"]);
}
