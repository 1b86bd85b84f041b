import type { AgentRun, Missing, ModelCall, ToolCall } from "../../model/run.ts";
import type { Evidence } from "../evidence.ts";
import { F } from "../facts/fields.ts";

type Values = Pick<
  AgentRun,
  | "service"
  | "conversationId"
  | "status"
  | "error"
  | "handoffs"
  | "handoffsAvailable"
  | "retrievals"
  | "guardrails"
  | "llm"
  | "tools"
  | "usage"
  | "costUsd"
  | "priceSource"
>;

/**
 * One entry for each `null` in a run's JSON for which `missingValues` has no entry. Most telemetry lacks these facts. `what` is the field's
 * path. If the value cannot exist (no conversation, tokens of a failed call), the reason states this.
 */
export function missingDetails(run: Values, evidence: Evidence): Missing[] {
  const missing: Missing[] = [];
  const add = (what: string, why: string | undefined): void => {
    if (why !== undefined) missing.push({ what, why });
  };
  const { usage } = run;
  if (run.service === null) add("service", "no resource has a service name: set OTEL_SERVICE_NAME");
  if (run.conversationId === null) add("conversation_id", conversationReason(evidence));
  if (run.status === "error" && run.error === null)
    add("error", "the failed span has neither a status message nor an exception: record the exception");
  if (run.handoffsAvailable === null)
    add(
      "handoffs_available",
      "no span lists the agents to which this agent can hand over, or its hand-off tools",
    );
  if (usage.cached === null) add("cached_tokens", partReason(run, "cached"));
  if (usage.cacheWrite === null) add("cache_write_tokens", partReason(run, "cacheWrite"));
  if (usage.reasoning === null) add("reasoning_tokens", partReason(run, "reasoning"));
  if (run.priceSource === null)
    add(
      "price_source",
      run.costUsd === null ? "cost is unknown" : "the cost comes from the spans, so no price was looked up",
    );
  for (const { what, isUnknown, why } of toolDetails)
    add(what, someOf("tool calls", run.tools, isUnknown, why));
  for (const { what, isUnknown, why } of callDetails)
    add(what, someOf("model calls", run.llm, isUnknown, why));
  addSteps(run, add);
  return missing;
}

function conversationReason({ nodes }: Evidence): string {
  return nodes.some((node) => node.hasField(F.conversation))
    ? "the conversation id on the spans is empty or a placeholder: set gen_ai.conversation.id to the same id on all runs of a conversation"
    : "no span names a conversation: set gen_ai.conversation.id to the same id on all runs of a conversation";
}

/** Why a part of the tokens is unknown: the input or output count is unknown, or calls do not report the part. */
function partReason({ llm, usage }: Values, part: "cached" | "cacheWrite" | "reasoning"): string {
  const whole = part === "reasoning" ? usage.output : usage.input;
  if (whole === null) return "tokens are unknown";
  const served = llm.filter(({ error }) => error === null);
  if (served.length === 0)
    return whole === 0
      ? "no model call was made"
      : "the telemetry has only the total tokens of the run, without this part";
  const silent = served.filter((call) => call.usage[part] === null).length;
  return silent === 0
    ? "the telemetry contains only some of the counted model calls"
    : `${silent} of ${served.length} model calls do not report this count: producers often omit zeros`;
}

interface Detail<Step> {
  readonly what: string;
  readonly isUnknown: (step: Step) => boolean;
  readonly why: (step: Step) => string;
}

const toolDetails: readonly Detail<ToolCall>[] = [
  {
    what: "tools.result",
    isUnknown: ({ result, executed, error }) => result === undefined && (executed !== true || error !== null),
    why: ({ executed, error }) =>
      error !== null
        ? "the tool call failed, so it has an error and no result"
        : executed === null
          ? "it is unknown whether the tool ran"
          : "the tool never ran",
  },
  {
    what: "tools.call_id",
    isUnknown: ({ callId }) => callId === null,
    why: () => "neither spans nor messages have a tool call id: set gen_ai.tool.call.id",
  },
  { what: "tools.start_unix_ms", isUnknown: ({ startUnixMs }) => startUnixMs === null, why: noTimes },
  { what: "tools.duration_ms", isUnknown: ({ durationMs }) => durationMs === null, why: noTimes },
];

function noTimes({ executed, spanId }: ToolCall): string {
  if (executed === false) return "the tool never ran";
  if (executed === null) return "it is unknown whether the tool ran";
  return spanId === null
    ? "the tool call is known only from messages, which have no times: instrument the tools"
    : "the span of the tool call has no times";
}

const callDetails: readonly Detail<ModelCall>[] = [
  ofCalls(
    "model",
    ({ model }) => model === null,
    "the span names no requested model: set gen_ai.request.model",
  ),
  ofCalls("response_model", (call) => call.responseModel === null, "the span lacks the response model"),
  ofCalls("finish_reason", (call) => call.finishReason === null, "the span has no finish reason"),
  ofCalls("input_tokens", ({ usage }) => usage.input === null, "the span reports no usage"),
  ofCalls("output_tokens", ({ usage }) => usage.output === null, "the span reports no usage"),
  ofCalls("cached_tokens", ({ usage }) => usage.cached === null, "the span reports no cached tokens"),
  ofCalls(
    "reasoning_tokens",
    ({ usage }) => usage.reasoning === null,
    "the span reports no reasoning tokens",
  ),
  { what: "llm.cost_usd", isUnknown: ({ costUsd }) => costUsd === null, why: costReason },
  ofCalls(
    "start_unix_ms",
    ({ startUnixMs }) => startUnixMs === null,
    "the model call is known only from messages, or its span has no times",
  ),
  ofCalls(
    "duration_ms",
    ({ durationMs }) => durationMs === null,
    "the model call is known only from messages, or its span has no times",
  ),
];

function ofCalls(field: string, isUnknown: (call: ModelCall) => boolean, why: string): Detail<ModelCall> {
  const reason = ({ error }: ModelCall): string => (error === null ? why : "the call failed");
  return { what: `llm.${field}`, isUnknown, why: reason };
}

function costReason({ error, model, responseModel, usage }: ModelCall): string {
  if (error !== null) return "the call failed";
  const name = responseModel ?? model;
  if (name === null) return "the span names no model";
  return usage.input === null ? "tokens are unknown" : `no price for ${name}`;
}

function addSteps(
  { handoffs, retrievals, guardrails }: Values,
  add: (what: string, why: string | undefined) => void,
): void {
  const documents = retrievals.flatMap((retrieval) => retrieval.documents);
  add(
    "handoffs.from",
    someOf(
      "hand-offs",
      handoffs,
      ({ from }) => from === null,
      () => "no agent is named",
    ),
  );
  add(
    "handoffs.tool",
    someOf(
      "hand-offs",
      handoffs,
      ({ tool }) => tool === null,
      () => "neither a span nor a message shows the tool that called the agent",
    ),
  );
  add(
    "retrievals.query",
    someOf(
      "retrievals",
      retrievals,
      ({ query }) => query === null,
      () => "the span has no query",
    ),
  );
  add(
    "retrievals.documents",
    someOf(
      "retrievals",
      retrievals,
      ({ isPartial }) => isPartial === true,
      () => "the span has no documents, or not all",
    ),
  );
  for (const part of ["id", "content", "score"] as const)
    add(
      `retrievals.documents.${part}`,
      someOf(
        "documents",
        documents,
        (one) => one[part] === null,
        () => `the document has no ${part}`,
      ),
    );
  add(
    "guardrails.triggered",
    someOf(
      "guardrails",
      guardrails,
      ({ triggered }) => triggered === null,
      () => "the span has no outcome",
    ),
  );
}

/**
 * Returns the number of steps without a value, by reason: "2 of 5 tool calls: REASON; 1 of 5 tool calls: REASON". Undefined if all steps
 * have a value.
 */
function someOf<Step>(
  kind: string,
  steps: readonly Step[],
  isUnknown: (step: Step) => boolean,
  why: (step: Step) => string,
): string | undefined {
  let reasons: Map<string, number> | undefined;
  for (const step of steps) {
    if (!isUnknown(step)) continue;
    const reason = why(step);
    reasons ??= new Map();
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  if (reasons === undefined) return undefined;
  return [...reasons].map(([reason, many]) => `${many} of ${steps.length} ${kind}: ${reason}`).join("; ");
}
