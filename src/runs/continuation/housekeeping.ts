import { LlmCall } from "../calls/llm-call.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { F } from "../facts/fields.ts";
import { inNames, isOfHousekeeping } from "../facts/housekeeping-names.ts";
import { ruleIsOn } from "../rules.ts";
import type { RunSpans } from "./is-run.ts";

const inInstructions =
  /\b(?:you are an? (?:\w+ ){0,3}title generator|generate (?:an? )?(?:\w+ ){0,4}title for (?:this|the|an?) (?:\w+ )?(?:conversation|chat|session|thread)|generate (?:\w+ ){0,3}(?:conversation|chat|session|thread) titles?)\b/i;
const MOST_LEVELS = 5;
const LONGEST_INSTRUCTIONS = 600;

/**
 * Removes model calls that a harness makes for itself, such as a call for the title of a session. Such calls neither start a run nor
 * answer. Three signs identify them. An attribute states the purpose. An enclosing step has a known name. Or the instructions are known,
 * and the run has other calls.
 */
export function withoutHousekeeping(calls: readonly LlmCall[]): LlmCall[] {
  const kept: LlmCall[] = [];
  if (!ruleIsOn("housekeeping")) return [...calls];
  for (const call of calls) {
    if (isDeclared(call.node) || (calls.length > 1 && isInstructed(call))) setAside(call, calls);
    else kept.push(call);
  }
  return kept;
}

function isDeclared(node: SpanFacts): boolean {
  if (isOfHousekeeping(node.span) || node.records.some((record) => isRecordOf(record, node))) return true;
  let at = node.parent;
  for (let level = 0; at !== null && level < MOST_LEVELS; level++, at = at.parent) {
    if (at.role === "tool") return false;
    if (inNames(at.span.name) || at.records.some((record) => isRecordOf(record, node))) return true;
  }
  return false;
}

/** Whether a log record has the call's response id and states that the harness made the call for itself. */
function isRecordOf({ responseId, span }: SpanFacts, call: SpanFacts): boolean {
  return responseId !== null && responseId === call.responseId && isOfHousekeeping(span);
}

function isInstructed({ inputs }: LlmCall): boolean {
  const [first] = inputs;
  if (first === undefined || first.role !== "system" || first.text === null) return false;
  return inInstructions.test(first.text.slice(0, LONGEST_INSTRUCTIONS));
}

/**
 * Excludes the span of a housekeeping call, and the enclosing agent and call spans that contain no other call, by giving them the role
 * `unknown`.
 */
function setAside({ node, around }: LlmCall, calls: readonly LlmCall[]): void {
  node.role = "unknown";
  for (const layer of around) layer.role = "unknown";
  for (let at = node.parent; at !== null && (at.role === "agent" || at.role === "call"); at = at.parent) {
    const outer = at;
    if (calls.some((call) => call.node !== node && isWithin(call.node, outer))) return;
    at.role = "unknown";
  }
}

function isWithin(node: SpanFacts, outer: SpanFacts): boolean {
  for (let at = node.parent; at !== null; at = at.parent) if (at === outer) return true;
  return false;
}

/**
 * Returns the only model call of a trace, if the producer attributes it to no agent; otherwise null. Such a call is the harness's own,
 * unless log records of its session show that an agent made it.
 */
export function asideCall(nodes: readonly SpanFacts[]): RunSpans | null {
  const [root] = nodes;
  if (root === undefined || nodes.length > 1 || root.role !== "step" || root.conversation === null)
    return null;
  const { requestModel, model, span } = root;
  if ((requestModel ?? model) === null || span.parentSpanId !== undefined) return null;
  return { root, nodes, calls: [new LlmCall(root, [], null)], isTurn: false };
}

const notification = /^\s*(?:\[USER PROMPT\]\s*)?<(?:task|system|background)[-_]notification>/i;

/** Matches a command of a harness, such as `/clear`. Some commands are short forms of a prompt; the model then receives the prompt. */
const command = /^\/[\w:-]+(?:\s|$)/;

/**
 * Whether the harness, not a user, opened the run: to report the end of a background task, or to run a command of its own. A run with tools
 * is never left out, because a check of its tools would pass otherwise.
 */
export function isNotified({ root, nodes, calls }: RunSpans): boolean {
  if (!root.hasField(F.input) || !ruleIsOn("housekeeping")) return false;
  const text = root.nthRaw(F.input, 0);
  if (typeof text !== "string") return false;
  const isIdle = calls.length === 0 && nodes.length === 1;
  if (isIdle && command.test(text)) return true;
  return notification.test(text) && nodes.every(({ role }) => role !== "tool");
}
