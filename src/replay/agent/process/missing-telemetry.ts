import { mutedBy } from "./agent-environment.ts";
import type { Received } from "../call-receiver.ts";

export interface MissingTelemetry {
  readonly reason: string;
  readonly hint: string;
}

const GUIDES = "docs/agents/ shows the set-up of each framework";

/** Returns the probable reason why a successful call sent no agent run. */
export function missingTelemetryOf(
  received: Received,
  env: NodeJS.ProcessEnv,
  endpoint: string,
): MissingTelemetry {
  const { requests, spans, logRecords, metricRequests, refused } = received;
  if (spans > 0) {
    return {
      reason: `the agent sent ${spans} spans, but none is a part of an agent run`,
      hint: "`tracejury doctor` on the stored dump shows what these spans are, and what to switch on",
    };
  }
  if (requests > 0) {
    return {
      reason: `the agent sent ${logRecords} log records and no span`,
      hint: `set a tracer provider up with an OTLP exporter; ${GUIDES}`,
    };
  }
  if (refused.size > 0) {
    const told = [...refused]
      .map(([outcome, count]) => `${count} ${outcome.replaceAll("_", " ")}`)
      .join(", ");
    return {
      reason: `the agent's export requests were refused: ${told}`,
      hint: `send OTLP to ${endpoint}/v1/traces (protobuf or JSON) or as gRPC to the same port`,
    };
  }
  if (metricRequests > 0) {
    return {
      reason: "the agent sent metrics and no traces",
      hint: `set a tracer provider up with an OTLP exporter; ${GUIDES}`,
    };
  }
  const muted = mutedBy(env);
  if (muted !== null)
    return { reason: `the agent sent nothing: ${muted}`, hint: "remove it from the environment" };
  return {
    reason: "the agent sent nothing",
    hint: `the agent must be instrumented, export to OTEL_EXPORTER_OTLP_ENDPOINT, and flush before it ends; ${GUIDES}. An agent without instrumentation: add --models record:FILE (docs/record.md)`,
  };
}
