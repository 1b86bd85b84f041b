import type { LlmCall } from "../calls/llm-call.ts";
import { inputsOf } from "../calls/call-messages.ts";
import { holdsText } from "../continuation/produced-texts.ts";
import type { Evidence } from "../evidence.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { type ReadMessage, readMessages } from "../notations/message.ts";
import { isPlaceholder } from "../notations/names.ts";
import { questionIn, withoutWrapping } from "../notations/words.ts";
import { firstIn } from "./speakers.ts";

const MOST_DEPTH = 12;

/**
 * Returns the query of the run; null if there is none. It is the recorded prompt, because the prompt is the user's original text, or else
 * the user message of the first call. If this message is missing or contains the root's input, the root's input is the query. Any other
 * input of the root, such as a workflow argument, is ignored. Wrappers of frameworks are removed.
 */
export function queryOf(evidence: Evidence): string | null {
  const { prompt } = evidence.fragments[0];
  if (prompt !== null) return prompt;
  const call = evidence.calls[0] ?? evidence.failedCalls[0];
  const sent = call === undefined ? null : firstUserText(call);
  const asked = rootQuery(evidence.root, sent);
  const isPlain = sent === null || (asked !== null && asked !== sent && holdsText(sent, asked));
  const found = (isPlain ? asked : sent) ?? firstWords(evidence);
  if (found === null) return null;
  const plain = withoutWrapping(found, wrappingOf(evidence, call));
  return plain.trim() === "" ? null : plain;
}

/** Returns the wrapping patterns of the dialects of the first call and of the spans from the root to the first agent (`fromRoot`). */
function wrappingOf({ root }: Evidence, call: LlmCall | undefined): readonly RegExp[] {
  const nodes = call === undefined ? [root, ...fromRoot(root)] : [root, ...fromRoot(root), call.node];
  return nodes.flatMap(({ dialects }) => dialects.wrapping);
}

/**
 * Returns the input text of a span from the root to the first agent; null if there is none. The first text that also occurs in the first
 * call's input counts, because the input of an application span may not be the query. If no text occurs there, the first text counts.
 */
function rootQuery(root: SpanFacts, sent: string | null): string | null {
  let first: string | null = null;
  for (const node of fromRoot(root)) {
    const found = queryOfSpan(node);
    if (found === null) continue;
    if (sent === null || holdsText(sent, found)) return found;
    first ??= found;
  }
  return first;
}

/** Returns the root and, level by level, the first span within it. A server's span may be between the root and the agent. */
export function fromRoot(root: SpanFacts): SpanFacts[] {
  const found: SpanFacts[] = [];
  let node: SpanFacts | undefined = root;
  for (let depth = 0; node !== undefined && depth < MOST_DEPTH; depth++) {
    if (runsWork(node)) found.push(node);
    const { children }: SpanFacts = node;
    node =
      children.find(runsWork) ?? children.find((one) => one.role === "unknown" && one.children.length > 0);
  }
  return found;
}

function runsWork({ role }: SpanFacts): boolean {
  return role === "agent" || role === "workflow" || role === "step";
}

function queryOfSpan(node: SpanFacts): string | null {
  const found = firstIn(node, [F.inputMessages, F.input], (value) => {
    const question = questionIn(value);
    return question === null || question.trim() === "" ? null : question;
  });
  if (found !== null || (node.span.events.length === 0 && node.span.logs.length === 0)) return found;
  return lastUserText(inputsOf(node));
}

function lastUserText(
  messages: readonly ReadMessage[],
  counts: (text: string) => boolean = () => true,
): string | null {
  for (let at = messages.length - 1; at >= 0; at--) {
    const { role, text, isCut } = messages[at] as ReadMessage;
    if (role === "user" && text === null && isCut) return null;
    if (role !== "user" || text === null || text.trim() === "") continue;
    if (!isPlaceholder(text) && counts(text)) return text;
  }
  return null;
}

/**
 * Returns the last user message of a model call that contains a text by a person; if there is none, the last user message. Null without
 * user messages.
 */
function firstUserText({ inputs, node }: LlmCall): string | null {
  if (inputs.length === 0) return node.hasField(F.input) ? questionIn(node.valueAt(F.input)) : null;
  const until = inputs.findIndex(({ calls, results }) => calls.length > 0 || results.length > 0);
  const before = until < 0 ? inputs : inputs.slice(0, until);
  const persons = lastUserText(inputs, isPersons) ?? (until < 0 ? null : lastUserText(before, isPersons));
  return persons ?? lastUserText(inputs);
}

/** Whether a text contains a text by a person, and not only text that a harness wrote. */
function isPersons(text: string): boolean {
  return withoutWrapping(text, []).trim() !== "";
}

/** Returns the last user message in the output of the first step that has one, as a fallback. */
function firstWords({ nodes }: Evidence): string | null {
  for (const node of nodes) {
    if (node.role !== "step" || !node.hasField(F.output)) continue;
    const value = node.valueAt(F.output);
    const text = typeof value === "object" ? lastUserText(readMessages(value, "assistant")) : null;
    if (text !== null) return text;
  }
  return null;
}
