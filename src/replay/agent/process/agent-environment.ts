import { queryIdAttribute } from "../../../match/matcher.ts";
import { conversationAttribute } from "../../../model/telemetry/own-scope.ts";
import { type CallPlan, textOfPlan } from "../call.ts";

/** Matches variables that would send an agent's telemetry to another endpoint, or change how it is sent. */
const ELSEWHERE =
  /^OTEL_EXPORTER_OTLP_(?:(?:TRACES|LOGS|METRICS)_)?(?:ENDPOINT|HEADERS|CERTIFICATE|CLIENT_KEY|CLIENT_CERTIFICATE|INSECURE|COMPRESSION)$/;

/**
 * Returns the environment of an agent process. Its telemetry goes to `endpoint`, and its resource attributes and baggage contain the ids of
 * query and conversation. The OTLP protocol that the user chose is retained, because the receiver's port accepts all protocols.
 */
export function agentEnvironment(
  env: NodeJS.ProcessEnv,
  endpoint: string,
  plan: CallPlan,
): NodeJS.ProcessEnv {
  const id = `${queryIdAttribute}=${encodeURIComponent(plan.query.id)}`;
  const session = plan.turn?.session;
  const [resource, baggage] =
    session === undefined
      ? [id, id]
      : [`${id},${conversationAttribute}=${session}`, `${id},session.id=${session}`];
  return {
    // OpenTelemetry's SDK for Node reports failed exports only if a log level is set.
    OTEL_LOG_LEVEL: "error",
    ...telemetryEnvironment(env, endpoint),
    OTEL_RESOURCE_ATTRIBUTES: joined(env["OTEL_RESOURCE_ATTRIBUTES"], resource),
    BAGGAGE: joined(env["BAGGAGE"], baggage),
    TRACEJURY_QUERY: textOfPlan(plan),
    TRACEJURY_QUERY_ID: plan.query.id,
    TRACEJURY_RUN: String(plan.number),
    ...(plan.turn === undefined
      ? {}
      : {
          TRACEJURY_SESSION: plan.turn.session,
          TRACEJURY_TURN: String(plan.turn.number),
          TRACEJURY_HISTORY: JSON.stringify(plan.turn.history),
        }),
  };
}

/** Returns the environment of an instrumented process, so that its telemetry goes to `endpoint`. */
export function telemetryEnvironment(env: NodeJS.ProcessEnv, endpoint: string): NodeJS.ProcessEnv {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !ELSEWHERE.test(name)));
  return {
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
    OTEL_TRACES_EXPORTER: "otlp",
    // With a short delay, less telemetry is lost if an agent ends without a flush.
    OTEL_BSP_SCHEDULE_DELAY: "500",
    OTEL_BLRP_SCHEDULE_DELAY: "500",
    ...kept,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  };
}

function joined(known: string | undefined, more: string): string {
  return known === undefined || known.trim() === "" ? more : `${known},${more}`;
}

/** Returns a sentence about the environment variable that prevents the export of traces; null if no variable prevents it. */
export function mutedBy(env: NodeJS.ProcessEnv): string | null {
  if (env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true")
    return "OTEL_SDK_DISABLED=true switches telemetry off";
  const exporter = env["OTEL_TRACES_EXPORTER"];
  if (exporter !== undefined && !exporter.split(",").some((name) => name.trim().startsWith("otlp"))) {
    return `OTEL_TRACES_EXPORTER=${exporter} does not export traces`;
  }
  const sampler = env["OTEL_TRACES_SAMPLER"];
  if (sampler === "always_off") return "OTEL_TRACES_SAMPLER=always_off drops all traces";
  return null;
}
