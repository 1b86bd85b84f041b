import type { JudgeCall } from "../../judge/limits/scheduler.ts";
import { sha256 } from "../../support/structures/sha256.ts";
import { type Attributes, type AttributeValue, bounded } from "./attribute.ts";
import type { SpanReference } from "./judged-span.ts";

export const judgeSpanName = "tracejury.judge";

/**
 * Span of one request to a judge model. The span has its own trace, with a span link to the judged root span. If it were in the agent's
 * trace, backends would count the cost of evaluation as cost of the agent.
 */
export interface JudgeSpan {
  readonly span: SpanReference;
  readonly judged: SpanReference;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  readonly attributes: Attributes;
  readonly errorMessage: string | undefined;
}

const sampled = 1;

/** Returns the span of a request to a judge model. All requests about one run are in one trace. */
export function judgeSpan(call: JudgeCall): JudgeSpan {
  const { runId, startUnixMs, endUnixMs, errorType } = call;
  const dash = runId.indexOf("-");
  const judged = { traceId: runId.slice(0, dash), spanId: runId.slice(dash + 1), traceFlags: sampled };
  const own = [runId, call.rubric, call.model, call.attempt, startUnixMs].join("\n");
  return {
    span: {
      traceId: sha256(`judging\n${runId}`).slice(0, 32),
      spanId: sha256(own).slice(0, 16),
      traceFlags: sampled,
    },
    judged,
    startUnixMs,
    endUnixMs,
    attributes: attributesOf(call),
    errorMessage: errorType === null ? undefined : errorType,
  };
}

function attributesOf({
  runId,
  model,
  provider,
  rubric,
  attempt,
  errorType,
  usage,
  costUsd,
}: JudgeCall): Attributes {
  const attributes = new Map<string, AttributeValue>([
    ["gen_ai.operation.name", "chat"],
    ["gen_ai.provider.name", bounded(provider)],
    ["gen_ai.request.model", bounded(modelIdOf(model, provider))],
    ["tracejury.run.id", runId],
    ["tracejury.judge.rubric", bounded(rubric)],
    ["tracejury.judge.attempt", BigInt(attempt)],
  ]);
  if (errorType !== null) attributes.set("error.type", errorType);
  const counts = {
    input_tokens: usage?.input,
    output_tokens: usage?.output,
    "cache_read.input_tokens": usage?.cached,
    "cache_creation.input_tokens": usage?.cacheWrite,
  };
  for (const [name, count] of Object.entries(counts)) {
    if (count !== null && count !== undefined) attributes.set(`gen_ai.usage.${name}`, BigInt(count));
  }
  if (costUsd !== null) attributes.set("tracejury.judge.cost", costUsd);
  return attributes;
}

/** Returns the model id without the provider's name, because backends look up the price by the id without the provider. */
function modelIdOf(model: string, provider: string): string {
  const isPrefixed = model.startsWith(`${provider}/`) || model.startsWith(`${provider}:`);
  return isPrefixed ? model.slice(provider.length + 1) : model;
}
