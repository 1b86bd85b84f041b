import { isObject, type JsonValue } from "../../model/json.ts";
import type { ToolCall } from "../../model/run.ts";
import type { Evidence } from "../evidence.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import { elapsedMs } from "../../model/telemetry/span-view.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { isRefused, type ReportedCall } from "../ledger/records.ts";
import { sameTool, type ToolUse } from "../ledger/tool-use.ts";
import { signatureOf } from "../notations/arguments.ts";
import { isProviderRun } from "../notations/kinds.ts";
import type { ReadMessage } from "../notations/message.ts";
import { plainName } from "../notations/names.ts";
import { outcomeOf, type ToolOutcome } from "../notations/result.ts";
import { isCopied } from "./status.ts";

/** Tools of a run: requested tools in the order of requests, other tools in the order of start. */
export function toolsOf(evidence: Evidence, uses: readonly ToolUse[], agent: string | null): ToolCall[] {
  const tools = usesOfTools(uses).map((use) => toolOf(use, evidence, agent));
  return tools.map((tool, at) =>
    tool.error !== null && tools.slice(at + 1).some((later) => sameTool(later.name, tool.name))
      ? { ...tool, retried: true }
      : tool,
  );
}

/** Tool uses without hand-offs and output tools. */
export function usesOfTools(uses: readonly ToolUse[]): ToolUse[] {
  return uses.filter(({ target, isControl }) => target === null && !isControl);
}

const nothing: ToolOutcome = outcomeOf(undefined);

/** Matches what harnesses send to the model for an empty result: `(Bash completed with no output)`, `Observation:`. */
const nothingReturned = /^\s*(?:Observation:|\([^()\n]*\bno output\))?\s*$/i;

function toolOf(use: ToolUse, evidence: Evidence, agent: string | null): ToolCall {
  const { executions } = use;
  const first = executions[0]?.node;
  const last = executions[executions.length - 1]?.node;
  const returned = use.returned === null ? nothing : outcomeOf(use.returned.content);
  const own = use.arguments;
  const shown = resultOf(use, returned);
  const record = evidence.records.tool(use.allIds);
  // A tool's arguments are an object. If the span has only a text, the text is one value of this object; the record has the complete
  // object.
  const isPart = typeof own === "string" && isObject(record?.arguments);
  // An empty text is the result of a tool that returned nothing, if no other place has a result, except a harness's words for nothing.
  const isEmpty = !returned.isCut && executions[executions.length - 1]?.isResultEmpty === true;
  const given = shown ?? record?.result;
  const isNothing = given === undefined || (typeof given === "string" && nothingReturned.test(given));
  const result = isEmpty && isNothing ? "" : given;
  const error = errorOf(use, result, returned, evidence) ?? record?.error ?? null;
  const asking = evidence.allCalls[Math.max(use.call ?? 0, 0)]?.node;
  return {
    spanId: last?.span.spanId ?? null,
    traceId: evidence.traceIdOf(last ?? asking ?? evidence.root),
    // A record has the tool's name as the model wrote it. The name on the span may have a namespace as prefix.
    name:
      use.name !== null && record?.name != null && use.name.endsWith(record.name) ? record.name : use.name,
    arguments: isPart ? record?.arguments : (own ?? record?.arguments),
    result: error === null ? result : undefined,
    error,
    agent: use.agent ?? agent,
    callId: use.ids[0] ?? executions[executions.length - 1]?.callId ?? null,
    startUnixMs: first === undefined || first.start === 0 ? null : first.start,
    durationMs: first === undefined || last === undefined ? null : durationBetween(first, last),
    executed: wasRefused(use, record) ? false : wasExecuted(use, error, evidence.allCalls),
    retried: false,
    ...(use.called === null || use.requestedName === null ? {} : { through: use.requestedName }),
  };
}

/** Whether a recorded decision refused the tool call. False if a result shows that the tool ran. */
function wasRefused({ executions }: ToolUse, record: ReportedCall | null): boolean {
  if (record?.result !== undefined || executions.some(({ result }) => result !== undefined)) return false;
  return record?.isRefused === true || executions.some(({ node }) => isRefused(node));
}

/**
 * Time in ms from the start of one span to the end of another, with nanosecond precision. Null if a time is missing, or if the end precedes
 * the start.
 */
export function durationBetween(first: SpanFacts, last: SpanFacts): number | null {
  const isKnown = first.start > 0 && last.end >= first.start && first.span.hasEnd && last.span.hasEnd;
  return isKnown ? elapsedMs(first.span, last.span) : null;
}

/**
 * Returns the complete result of the last execution that has one, otherwise the complete result in the messages; undefined if there is
 * none.
 */
function resultOf({ executions }: ToolUse, returned: ToolOutcome): JsonValue | undefined {
  return executions.findLast((one) => one.result !== undefined)?.result ?? wholeResultOf(returned);
}

/** Returns the result in the messages; undefined if there is none, or if it is truncated. */
export function wholeResultOf({ isCut, value }: ToolOutcome): JsonValue | undefined {
  return isCut || value === null ? undefined : value;
}

/** Matches prefixes of the messages that tools and frameworks return for a failure. Used for executions without a result. */
const errorText =
  /^\s*(?:error\b|an error occurred|exception\b|traceback \(most recent|tool (?:error|execution failed)|failed\b|unknown tool|\w*(?:Error|Exception)\s*[:(]|ENOENT\b|tool .{1,60} (?:not found|does not exist))/i;

/**
 * Returns the tool's error text, from its last execution or from the result in the messages; null if the tool did not fail. Earlier
 * executions do not count, because their error may only be a pause for a person's decision.
 */
function errorOf(
  { returned, executions }: ToolUse,
  result: JsonValue | undefined,
  outcome: ToolOutcome,
  evidence: Evidence,
): string | null {
  const last = executions[executions.length - 1];
  const isOwn = last?.result === undefined || !last.nodes.some((node) => isCopied(node, evidence));
  if (last !== undefined && last.error !== null && isOwn) return last.error;
  const text = typeof result === "string" ? result : JSON.stringify(result ?? "error");
  if (returned?.isError === true || outcome.isError) return outcome.error ?? text;
  if (last?.result !== undefined) return null;
  return typeof result === "string" && errorText.test(result) ? result : null;
}

const neverRan =
  /(?:unknown tool|tool (?:name )?\S* ?(?:not found|does not exist|is not available)|no (?:such )?tool|not a valid tool|invalid input for tool\b)/i;

/**
 * Whether the tool ran. A request with neither an execution nor a result did not run if a later history repeats the request; otherwise it
 * is unknown (null).
 */
function wasExecuted(
  { executions, returned, call, requestedName, ids, signature }: ToolUse,
  error: string | null,
  calls: readonly LlmCall[],
): boolean | null {
  if (executions.length > 0 || isProviderRun(requestedName)) return true;
  if (returned !== null) return error === null || !neverRan.test(error);
  if (call === null) return null;
  const shown = lastShown(calls);
  const isShown = [...ids, `${plainName(requestedName ?? "")} ${signature}`].some(
    (key) => (shown.get(key) ?? -1) > call,
  );
  return isShown ? false : null;
}

const shownIn = new WeakMap<readonly LlmCall[], ReadonlyMap<string, number>>();

/**
 * Returns, for each request, the index of the last call whose history contains it. Keys: the request's id, and its name with its arguments.
 * Computed once for a run.
 */
function lastShown(calls: readonly LlmCall[]): ReadonlyMap<string, number> {
  const known = shownIn.get(calls);
  if (known !== undefined) return known;
  const shown = new Map<string, number>();
  const seen = new Set<ReadMessage>();
  for (let at = calls.length - 1; at >= 0; at--)
    for (const message of (calls[at] as LlmCall).inputs) {
      if (message.calls.length === 0 || seen.has(message)) continue;
      seen.add(message);
      for (const request of message.calls)
        for (const key of [request.id, signatureOf(request)])
          if (key !== null && !shown.has(key)) shown.set(key, at);
    }
  shownIn.set(calls, shown);
  return shown;
}
