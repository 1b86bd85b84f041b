import type { LlmCall } from "../calls/llm-call.ts";
import { isTool } from "../calls/tree.ts";
import { readToolSpan, type ToolSpan } from "../calls/tool-span.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { isObject } from "../../model/json.ts";
import { argumentsKey, argumentsOf } from "../notations/arguments.ts";
import { plainName } from "../notations/names.ts";
import { RecordView } from "../facts/record-view.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";

/** Longest time between the end of a span and its log record. */
const LONGEST_GAP_MS = 1_000;

/**
 * Returns the members of a group that count. If spans of a session joined the session's log records, the records decide which calls the
 * agent made: a span completes the call or tool that a record shows. Records that no span joined, and calls outside of any agent that no
 * record shows, do not count.
 */
export function membersOf(group: readonly FragmentBoundary[]): readonly FragmentBoundary[] {
  const [records, ...parts] = group;
  if (records === undefined || !records.fragment.isBesideSpans)
    return group.filter(({ fragment }) => !fragment.isAsideCall);
  if (!parts.some(({ isSessionPart }) => isSessionPart)) return parts;
  const { calls, nodes } = records.fragment;
  const layers = new Map<LlmCall, LlmCall>();
  const executions = new Map<SpanFacts, SpanFacts>();
  const left = parts.filter((part) => {
    if (!part.isSessionPart) return true;
    addTool(part, nodes.filter(isTool), executions);
    return !addCalls(part, calls, layers) && !part.fragment.isAsideCall;
  });
  return [records, ...left];
}

/** Adds the calls of a trace without other spans to the calls that the records show. Returns whether they show all of its calls. */
function addCalls(
  { fragment }: FragmentBoundary,
  recorded: readonly LlmCall[],
  layers: Map<LlmCall, LlmCall>,
): boolean {
  const { calls, nodes } = fragment;
  if (calls.length === 0 || nodes.some(isTool)) return false;
  const found = calls.map((call) => recordedCall(call, recorded, layers));
  if (!found.every((one) => one !== undefined)) return false;
  for (const [at, call] of calls.entries()) {
    const record = found[at];
    if (record === undefined || record.around.includes(call.node)) continue;
    record.addLayers([call.node, ...call.around]);
  }
  return true;
}

/** Returns the recorded call with the call's response id, otherwise the nearest one with the same model and tokens. */
function recordedCall(
  call: LlmCall,
  recorded: readonly LlmCall[],
  layers: Map<LlmCall, LlmCall>,
): LlmCall | undefined {
  const isFree = (one: LlmCall): boolean => !layers.has(one) || layers.get(one) === call;
  const found =
    recorded.find((one) => isFree(one) && call.responseId !== null && one.responseId === call.responseId) ??
    nearest(
      call,
      recorded.filter((one) => isFree(one) && isLike(call, one)),
    );
  if (found !== undefined) layers.set(found, call);
  return found;
}

function isLike({ counts, failure }: LlmCall, recorded: LlmCall): boolean {
  const { input, output } = recorded.counts;
  if (output === undefined) return failure !== null && recorded.failure !== null;
  return counts.output === output && counts.input === input;
}

/** Places a tool's trace below the record of the tool, so that both are read as one execution, with its sub-agent. */
function addTool(
  { fragment: { root } }: FragmentBoundary,
  recorded: readonly SpanFacts[],
  executions: Map<SpanFacts, SpanFacts>,
): void {
  if (root.role !== "tool") return;
  const said = readToolSpan(root);
  const free = recorded.filter((one) => (executions.get(one) ?? root) === root);
  const alike = free.filter((one) => isSameTool(readToolSpan(one), said));
  const found =
    alike.find((one) => one.callId !== null && one.callId === root.callId) ??
    nearest(
      root,
      alike.filter((one) => hasArguments(readToolSpan(one), said)),
    ) ??
    nearest(root, alike);
  if (found === undefined) return;
  executions.set(found, root);
  if (root.parent !== null && !(root.parent.span instanceof RecordView)) return;
  root.parent = found;
  if (!found.children.includes(root)) found.children.push(root);
}

function isSameTool({ name, callId }: ToolSpan, other: ToolSpan): boolean {
  if (callId !== null && other.callId !== null) return callId === other.callId;
  return name !== null && other.name !== null && plainName(name) === plainName(other.name);
}

/** Whether a span has the recorded arguments, or one of them. */
function hasArguments({ arguments: recorded }: ToolSpan, { arguments: said }: ToolSpan): boolean {
  if (argumentsKey(recorded) === argumentsKey(said)) return true;
  const { value } = argumentsOf(recorded);
  return isObject(value) && typeof said === "string" && Object.values(value).includes(said);
}

/** Returns the one that ended at the time of the span; of several, the nearest. */
function nearest<T extends { readonly start: number; readonly end: number }>(
  { end }: { readonly end: number },
  all: readonly T[],
): T | undefined {
  let found: T | undefined;
  for (const one of all) {
    const gap = Math.abs(one.end - end);
    if (gap <= LONGEST_GAP_MS && gap < (found === undefined ? Infinity : Math.abs(found.end - end))) found = one;
  }
  return found;
}
