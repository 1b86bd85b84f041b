import { undeclaredValue } from "../undeclared/undeclared-events.ts";
import type { LlmCall } from "../fragments/llm-call.ts";
import { isPlaceholder } from "../text/placeholder.ts";
import { plainQuery } from "../text/wrapped-text.ts";
import { messagesWithin } from "../messages/read-messages.ts";
import { lastText, queryIn } from "../span/read-texts.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { Message } from "../../model/message.ts";
import type { Evidence } from "./evidence.ts";
import { holdsText } from "../text/holds-text.ts";

/** What of a run's evidence tells its query. */
type Asking = Pick<Evidence, "root" | "nodes" | "calls" | "failedCalls">;

/**
 * What the user asked. The first call's user message decides, unless it only wraps what the run's root was given: then the
 * root has the plain query. A root whose input is something else (a workflow's argument) is not believed.
 */
export function queryOf(evidence: Asking): string | null {
  const call = evidence.calls[0] ?? evidence.failedCalls[0];
  const sent = call === undefined ? undefined : firstUserText(call);
  const asked = rootQuery(evidence, sent);
  const isPlain = sent === undefined || (asked !== undefined && asked !== sent && holdsText(sent, asked));
  const query = isPlain ? asked : unwrapped(sent, evidence, call);
  const found = query ?? firstWords(evidence);
  return found === undefined ? null : plainQuery(found);
}

/**
 * From the outermost span with a text down to the first agent: the first text that is among the words that the first call was sent, else
 * the first. What an application's own span was given may be something else.
 */
function rootQuery(evidence: Pick<Asking, "root">, sent: string | undefined): string | undefined {
  let first: string | undefined;
  for (const node of fromRoot(evidence)) {
    const found = nodeQuery(node);
    if (found === undefined) continue;
    if (sent === undefined || holdsText(sent, found)) return found;
    first ??= found;
  }
  return first;
}

/** The root and, until there is a text, the spans within it that ran first. */
export function* fromRoot(evidence: Pick<Evidence, "root">): Generator<SpanNode> {
  let node: SpanNode | undefined = evidence.root;
  for (let depth = 0; node !== undefined && depth < 12; depth += 1) {
    if (node.role === "agent" || node.role === "workflow" || node.role === "step") yield node;
    node = node.children.find(({ role }) => role === "agent" || role === "workflow" || role === "step");
  }
}

/** By what adapters declare, else by the looks of what they do not. */
function nodeQuery(node: SpanNode): string | undefined {
  const known = knownQuery(node) ?? (node.reading.infer() === undefined ? undefined : knownQuery(node));
  return known ?? queryIn(undeclaredValue(node.attached.uncorrelated, "inputMessages", "input"));
}

function knownQuery(node: SpanNode): string | undefined {
  for (const field of ["inputMessages", "input"] as const) {
    for (const value of node.reading.all(field)) {
      const found = queryIn(value);
      if (found !== undefined) return found;
    }
  }
  for (const reading of node.attached.readings) {
    const found = queryIn(reading.json("inputMessages"));
    if (found !== undefined) return found;
  }
  const attached = firstText(node.attached.inputs);
  return attached ?? queryIn(node.json("input"));
}

function firstText(messages: readonly Message[]): string | undefined {
  return (
    messages.findLast(({ role, text }) => role === "user" && text !== null && text.trim() !== "")?.text ??
    undefined
  );
}

/** The last words of the user before the first tool was asked for. */
function firstUserText(call: LlmCall): string | undefined {
  const until = call.inputs.findIndex((message) => message.calls.length > 0 || message.results.length > 0);
  const before = until < 0 ? call.inputs : call.inputs.slice(0, until);
  for (const messages of [call.inputs, before]) {
    const text = firstText(messages);
    if (text !== undefined && !isPlaceholder(text)) return text;
  }
  return undefined;
}

/**
 * The query within the words that a framework puts around it: the outermost spans' dialects, or that of the first call, may have put words
 * around the user's.
 */
function unwrapped(sent: string, evidence: Pick<Asking, "root">, call: LlmCall | undefined): string {
  const own = unwrappedBy(evidence.root, sent);
  if (own !== undefined) return own;
  for (const node of fromRoot(evidence)) {
    const query = unwrappedBy(node, sent);
    if (query !== undefined) return query;
  }
  const query = call === undefined ? undefined : unwrappedBy(call.node, sent);
  if (query !== undefined) return query;
  return (sent.includes("Human:") ? transcript.exec(sent)?.[1] : undefined) ?? sent;
}

function unwrappedBy({ reading }: SpanNode, sent: string): string | undefined {
  for (const pattern of reading.dialects.wrapping) {
    const query = pattern.exec(sent)?.[1]?.trim();
    if (query !== undefined && query !== "") return query;
  }
  return undefined;
}

/** Old completions are asked for with both speakers' names in the text. */
const transcript = /^\s*(?:[\s\S]*\n\s*)?Human:\s*([\s\S]*?\S)\s+Assistant:\s*$/;

/** Where neither root nor calls have it: the first user message that any step shows. */
function firstWords(evidence: Asking): string | undefined {
  for (const node of evidence.nodes) {
    if (node.role !== "step" || !node.reading.has("output")) continue;
    const text = lastText(messagesWithin(node.json("output"), "assistant"), "user");
    if (text !== undefined) return text;
  }
  return undefined;
}
