import { mutedBy } from "./agent-environment.ts";
import { exportErrorIn } from "./export-error.ts";
import type { Received } from "../call-receiver.ts";

export interface MissingTelemetry {
  readonly reason: string;
  readonly hint: string;
}

const GUIDES = "docs/agents/ shows the set-up of each framework";
/** Message for an agent that sends its telemetry to another endpoint than its environment names. */
export const IN_CODE =
  "if the agent's code sets an endpoint, it overrides OTEL_EXPORTER_OTLP_ENDPOINT: remove it from the code";

/**
 * Returns the probable reason why a call succeeded but no agent run arrived.
 * @param output text that the agent printed
 */
export function missingTelemetryOf(
  received: Received,
  env: NodeJS.ProcessEnv,
  endpoint: string,
  output = "",
): MissingTelemetry {
  const { requests, spans, logRecords, metricRequests, refused } = received;
  if (spans > 0) {
    return {
      reason:
        spans === 1
          ? "the agent sent 1 span, which is not a part of an agent run"
          : `the agent sent ${spans} spans, but none is a part of an agent run`,
      hint: "`tracejury doctor` on the stored dump shows what these spans are, and what to switch on",
    };
  }
  if (refused.size > 0 && requests === 0) {
    const outcomes = [...refused]
      .map(([outcome, count]) => `${count} ${outcome.replaceAll("_", " ")}`)
      .join(", ");
    return {
      reason: `the agent's export requests were refused: ${outcomes}`,
      hint: `send OTLP to ${endpoint}/v1/traces (protobuf or JSON) or as gRPC to the same port`,
    };
  }
  const sent =
    requests > 0
      ? `${logRecords} log record${logRecords === 1 ? "" : "s"} and no span`
      : metricRequests > 0
        ? "metrics and no traces"
        : "nothing";
  const muted = mutedBy(env);
  if (muted !== null)
    return { reason: `the agent sent ${sent}: ${muted}`, hint: "remove the variable from the environment" };
  const error = exportErrorIn(output, endpoint);
  if (error !== null)
    return { reason: `the agent sent ${sent}; its output contains: ${error}`, hint: `${IN_CODE}; ${GUIDES}` };
  return {
    reason: `the agent sent ${sent}`,
    hint:
      sent === "nothing"
        ? `the agent must be instrumented, export to OTEL_EXPORTER_OTLP_ENDPOINT, and flush before it ends; ${IN_CODE}; ${GUIDES}. An agent without instrumentation: add --models record:FILE (docs/record.md)`
        : `the agent's process needs a tracer provider with an OTLP exporter; ${IN_CODE}; ${GUIDES}`,
  };
}
