import { fieldIndex } from "../../adapt/fields.ts";
import type { Fragment } from "../../adapt/fragment.ts";
import type { Orderly } from "../../adapt/orderly/orderly.ts";
import type { PlainCall } from "../../adapt/orderly/plain-call.ts";
import type { PlainSpan } from "../../adapt/orderly/plain-span.ts";
import { exceptionsOf } from "../../adapt/read-failure.ts";
import { type SeenTool, seeTool } from "../../adapt/orderly/seen-tool.ts";
import { agentOfSpan, isAgentName } from "../agent-names.ts";
import { isOrdinaryName } from "./ordinary-name.ts";
import { type Requests, requestsOf } from "./requests.ts";

/** A tool's use: its span, and the call that asked for it where the telemetry has the model's words. */
export interface OrderlyUse {
  readonly tool: PlainSpan;
  readonly name: string;
  readonly callId: string | null;
  readonly error: string | null;
  readonly asking: PlainCall | undefined;
}

export interface OrderlyFacts {
  readonly orderly: Orderly;
  readonly agent: string;
  /** The last call asked for nothing more, as far as it says: no other trace goes on with the run. */
  readonly isClosed: boolean;
  /** In the model's order. */
  readonly uses: readonly OrderlyUse[];
}

/**
 * What an orderly run did, if it is as simple as it looks: every call was answered, every tool that was asked for ran, one agent did it
 * all, and the last call asked for nothing more. Undefined otherwise; then the run is read like any other.
 */
export function orderlyFacts(fragment: Fragment): OrderlyFacts | undefined {
  const { orderly } = fragment;
  if (orderly === undefined) return undefined;
  const { root, calls, tools } = orderly;
  const agent = root.failure === null ? agentOf(root) : undefined;
  const [first] = calls;
  const last = calls[calls.length - 1];
  if (agent === undefined || first === undefined || last === undefined) return undefined;
  const { scope } = first;
  for (const call of calls) if (!isServed(call, scope) || !isOf(call, agent)) return undefined;
  for (const tool of tools) if (tool.start < first.start || !isOf(tool, agent)) return undefined;
  if (isSomeWithin(tools, calls)) return undefined;
  if (!beginsWithUser(first)) return undefined;
  const asked = requestsOf(calls);
  if (asked === undefined || asked.isOpen) return undefined;
  const uses = asked.byId.size === 0 ? unasked(tools) : matched(asked, tools);
  if (uses === undefined) return undefined;
  for (const { name } of uses) if (!isOrdinaryName(name, agent)) return undefined;
  return { orderly, agent, uses, isClosed: last.finish !== "tool_call" };
}

const INPUT_MESSAGES = fieldIndex("inputMessages");

/** Pairs that are looked at one by one; more take a sorted list. */
const FEW_PAIRS = 1_000;

/** Whether one of the tools ran during a call. */
function isSomeWithin(tools: readonly PlainSpan[], calls: readonly PlainCall[]): boolean {
  if (tools.length * calls.length <= FEW_PAIRS) {
    for (const tool of tools)
      for (const call of calls) if (tool.start >= call.start && tool.end <= call.end) return true;
    return false;
  }
  const byStart = calls.toSorted((a, b) => a.start - b.start);
  const toolsByStart = tools.toSorted((a, b) => a.start - b.start);
  let begun = 0;
  let latestEnd = -Infinity;
  for (const tool of toolsByStart) {
    for (let call = byStart[begun]; call !== undefined && call.start <= tool.start; call = byStart[++begun])
      latestEnd = Math.max(latestEnd, call.end);
    if (tool.end <= latestEnd) return true;
  }
  return false;
}

/** It has a model and an answer, nothing failed, and there is nothing about it to guess. */
function isServed(call: PlainCall, scope: string): boolean {
  if (call.scope !== scope || call.failure !== null || !call.hasModel || call.hasGuesses) return false;
  if (call.output === undefined) return false;
  return call.isBare || call.piece.attached.readings.every((one) => !one.has("callId"));
}

function agentOf(root: PlainSpan): string | undefined {
  const name = root.agent;
  return isAgentName(name) ? name : agentOfSpan(root.piece);
}

/** What the span says of its agent, if anything, is this. */
function isOf(span: PlainSpan, agent: string): boolean {
  const name = span.agent;
  return name === agent || !isAgentName(name);
}

/** The first call's history, where there is one, ends with the user's words, and nobody asked for a tool before. */
function beginsWithUser(first: PlainCall): boolean {
  if (first.isBare && !first.has(INPUT_MESSAGES)) return true;
  if (first.words(INPUT_MESSAGES, "user") !== undefined) return true;
  const { inputs } = first.call;
  const last = inputs[inputs.length - 1];
  if (last === undefined) return true;
  if (last.role !== "user" || last.text === null || last.text === "") return false;
  return inputs.every(({ calls, results }) => calls.length === 0 && results.length === 0);
}

/** Without the model's words: the tools as they began. Two spans with one id may be one use. */
function unasked(tools: readonly PlainSpan[]): OrderlyUse[] | undefined {
  const uses: OrderlyUse[] = [];
  const ids = new Set<string>();
  for (const tool of tools) {
    const seen = seeTool(tool);
    const { name, callId = null, error } = seen;
    if (name === undefined || !isTold(tool, seen)) return undefined;
    if (callId !== null) {
      if (ids.has(callId)) return undefined;
      ids.add(callId);
    }
    uses.push({ tool, name, callId, error, asking: undefined });
  }
  return uses;
}

/** Each request with its span; undefined where one of either has no other. */
function matched({ byId }: Requests, tools: readonly PlainSpan[]): OrderlyUse[] | undefined {
  if (byId.size !== tools.length) return undefined;
  const ran = new Map<string, { readonly tool: PlainSpan; readonly error: string | null }>();
  for (const tool of tools) {
    const seen = seeTool(tool);
    if (seen.callId === undefined || !seen.hasResult || !isTold(tool, seen)) return undefined;
    ran.set(seen.callId, { tool, error: seen.error });
  }
  const uses: OrderlyUse[] = [];
  for (const [callId, { name, asking }] of byId) {
    const span = ran.get(callId);
    if (span === undefined) return undefined;
    uses.push({ tool: span.tool, name, callId, error: span.error, asking });
  }
  return uses;
}

/** Its failure is its own: without an exception, one that has a result as well may be copied from another span. */
function isTold(tool: PlainSpan, { error, hasResult }: SeenTool): boolean {
  return error === null || !hasResult || tool.failure === null || exceptionsOf(tool.span).length > 0;
}
