import { valueBounds } from "../../model/json.ts";
import type { AgentRun, Missing } from "../../model/run.ts";
import { SUCCEEDED } from "../../model/telemetry/span-view.ts";
import { countsOf, hasImplausibleCount } from "../calls/tokens.ts";
import { isUsageRecord } from "../calls/innermost.ts";
import { tookSteps } from "../calls/tree.ts";
import { hidesRequest, type LlmCall } from "../calls/llm-call.ts";
import { MOST_RECORDS } from "../continuation/record-runs.ts";
import type { Evidence } from "../evidence.ts";
import { hasLostParent } from "./lost-parents.ts";
import { mayHaveEndedAtCall, mayHaveEndedAtTool } from "../results/status.ts";
import type { ToolUse } from "../ledger/tool-use.ts";
import { hasLostAttributes, LOST_ATTRIBUTES } from "./lost-messages.ts";

/** Inputs for finding the gaps of a run. */
export interface Known {
  readonly uses: readonly ToolUse[];
  readonly answer: string | null;
  readonly failure: string | null;
  /** Whether the telemetry shows neither success nor failure (`saysNothing`). */
  readonly isEmpty: boolean;
  /** Whether the last model call is missing, and nothing shows how the run ended. */
  readonly isEndLost: boolean;
}

interface Gap {
  readonly what: string;
  readonly holds: (evidence: Evidence, known: Known) => boolean;
  readonly why: string;
}

/**
 * Signs that a run's telemetry is incomplete, with the reasons. They are read from the telemetry, not from the reason for closing the
 * trace.
 */
const gaps: readonly Gap[] = [
  {
    what: "spans",
    holds: ({ fragments }) => fragments.some(({ truncated }) => truncated),
    why: "the trace was closed early, because it was too large or memory was short, so later spans are missing: raise assemble.max_spans, assemble.max_bytes or limits.memory",
  },
  {
    what: "records",
    holds: ({ fragments }) => fragments.some(({ isSessionCut }) => isSessionCut),
    why: `the session has more than ${MOST_RECORDS.toLocaleString("en-US")} log records, so later log records were not read`,
  },
  {
    what: "run",
    holds: ({ isSpread }) => isSpread,
    why: "the run consists of several traces, and some of them could not be joined: propagate the trace context (traceparent)",
  },
  {
    what: "spans",
    holds: hasLostParent,
    why: "a span within the agent names a parent that was never received: raise the exporter's queue size (OTEL_BSP_MAX_QUEUE_SIZE), or sample complete traces",
  },
  { what: "root", holds: hasLostRoot, why: "the span above the model or tool calls was never received" },
  {
    what: "end",
    holds: (evidence, known) => stoppedAtTool(evidence, known) || stoppedAtRecord(evidence, known),
    why: "the last model call requested a tool, and no later span was received",
  },
  {
    what: "end",
    holds: ({ unendedCall }, { answer, failure }) =>
      failure === null && unendedCall !== null && answer === null,
    why: "the last model call has no output, no usage and no finish reason, so it is unknown whether the model answered",
  },
  {
    what: "end",
    holds: (evidence, { failure, answer }) => failure === null && mayHaveEndedAtTool(evidence, answer),
    why: "the last recorded step is a tool, so it is unknown whether a model call followed",
  },
  {
    what: "end",
    holds: (evidence, known) => known.isEndLost && !stoppedAtTool(evidence, known),
    why: "the last model call is missing and there is no answer: the run may have been interrupted",
  },
  {
    what: "end",
    holds: (_, { isEmpty }) => isEmpty,
    why: "without model calls, tool calls and an answer, the end of the run is unknown",
  },
];

/** One entry for each gap; empty for a complete run. */
export function gapsOf(evidence: Evidence, known: Known): Missing[] {
  const found: Missing[] = [];
  for (const { what, holds, why } of gaps) if (holds(evidence, known)) found.push({ what, why });
  return found;
}

/** Whether the parent of calls or tools was never received, and no agent span encloses them. */
function hasLostRoot({ root }: Evidence): boolean {
  if (root.span.parentSpanId === undefined || root.parent !== null || root.parentCame) return false;
  return root.role !== "agent" && root.role !== "workflow";
}

function stoppedAtTool({ allCalls, calls }: Evidence, { uses, answer, failure }: Known): boolean {
  if (failure !== null || answer !== null) return false;
  const last = uses.findLast(({ call }) => call !== null);
  if (last === undefined || last.target !== null || last.isControl || last.call === null) return false;
  if (allCalls[last.call] !== calls[calls.length - 1]) return false;
  // A model may request other tools together with the output tool; the agent may then skip them.
  return !uses.some(({ output, call }) => output !== null && call === last.call);
}

/** Whether a run of log records ends with a call that requested a tool, and the request itself is not recorded. */
function stoppedAtRecord(evidence: Evidence, { answer, failure }: Known): boolean {
  if (failure !== null || !mayHaveEndedAtCall(evidence, answer)) return false;
  return evidence.allCalls.slice(-1).some(hidesRequest) && !mayHaveEndedAtTool(evidence, answer);
}

/**
 * Whether the run has only empty spans, such as those of a guardrail without a result. Empty spans show neither success nor failure. An
 * agent's span is not empty if it reports output tokens, or if its producer reports success and the agent took steps.
 */
export function saysNothing(
  evidence: Evidence,
  uses: readonly ToolUse[],
  answer: string | null,
  failure: string | null,
): boolean {
  return (
    evidence.allCalls.length === 0 &&
    failure === null &&
    uses.length === 0 &&
    answer === null &&
    !evidence.agentNodes.some(
      (agent) => (countsOf(agent).output ?? 0) > 0 || (agent.span.status === SUCCEEDED && tookSteps(agent)),
    )
  );
}

/**
 * Returns an entry if log records do not show whether the last model call answered; otherwise empty. Unlike a gap, this entry does not make
 * the run incomplete, because some producers never record how a call ended.
 */
export function unknownEndOf(
  { status, answer }: Pick<AgentRun, "status" | "answer">,
  evidence: Evidence,
): Missing[] {
  if (status !== null || !mayHaveEndedAtCall(evidence, answer)) return [];
  const why =
    "the log records do not show whether the last model call answered or requested a tool, so a part of the run may be missing";
  return [{ what: "end", why }];
}

/** Duplicate, contradicting or partial telemetry of a run. Unlike gaps, these entries do not make the run incomplete. */
export function unknownsOf({ calls, allCalls, nodes, root }: Evidence): Missing[] {
  const differing = calls.filter(hasTwoCounts).length;
  let [cut, unexamined, implausible, excessive] = [0, 0, 0, 0];
  const layers = new Set(allCalls.flatMap(({ node, around }) => [node, ...around]));
  let beyond = 0;
  for (const node of nodes) {
    if (hasLostAttributes(node)) cut++;
    unexamined += node.plan.unexamined;
    if (hasImplausibleCount(node)) implausible++;
    if (node.hasExcess) excessive++;
    if (!isUsageRecord(node) || layers.has(node)) continue;
    const { input, output } = countsOf(node);
    if (!allCalls.some(({ counts }) => counts.input === input && counts.output === output)) beyond++;
  }
  const found: Missing[] = [];
  if (!root.span.hasEnd)
    found.push({
      what: "duration",
      why: "the root span has no end time, or its end time is not after its start time",
    });
  else if (root.span.startUnixMs <= 0)
    found.push({ what: "duration", why: "the root span has no start time" });
  const add = (what: string, many: number, one: string, several: string, why: string): void => {
    if (many > 0) found.push({ what, why: `${many} ${many === 1 ? one : several} ${why}` });
  };
  add(
    "token_counts",
    differing,
    "model call has",
    "model calls have",
    "spans with different token counts: the count of the innermost span is used",
  );
  add(
    "token_counts",
    implausible,
    "span reports",
    "spans report",
    "a count that is negative or too large: the count is unknown",
  );
  add(
    "usage_records",
    beyond,
    "record",
    "records",
    "of token usage without a matching model call, so the tokens are not counted",
  );
  add(
    "attributes",
    unexamined,
    "attribute",
    "attributes",
    "that no adapter names were not examined, because the spans contain too many of them",
  );
  const { levels, nodes: values } = valueBounds;
  add(
    "values",
    excessive,
    "span contains",
    "spans contain",
    `JSON with more than ${levels} levels or ${values} values, so it is not parsed and stays a text`,
  );
  add("attributes", cut, "span", "spans", `lost attributes, events or links: ${LOST_ATTRIBUTES}`);
  return found;
}

/** Whether two layers of spans report different counts of output tokens for the call. */
function hasTwoCounts({ around, counts }: LlmCall): boolean {
  return around.some((layer) => {
    const other = layer.role === "call" ? countsOf(layer).output : undefined;
    return other !== undefined && counts.output !== undefined && other !== counts.output;
  });
}

/** Returns an entry if costs are known, but the price table lacks prices for a part of the usage; otherwise empty. */
export function unpricedOf(calls: readonly { readonly unpriced: readonly string[] }[]): Missing[] {
  const kinds = [...new Set(calls.flatMap(({ unpriced }) => unpriced))].sort();
  if (kinds.length === 0) return [];
  const many = calls.filter(({ unpriced }) => unpriced.length > 0).length;
  return [
    {
      what: "prices",
      why: `the price table has no price for ${kinds.join(" and ")}, so the default price was used in ${many} of ${calls.length} model calls`,
    },
  ];
}
