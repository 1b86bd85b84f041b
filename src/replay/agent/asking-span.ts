import { keyValues } from "../../model/telemetry/any-value.ts";
import { askingScope } from "../../model/telemetry/own-scope.ts";
import { SpanKind } from "../../model/telemetry/span-view.ts";

/** A question that was sent to an agent over HTTP. Times are milliseconds since 1970. */
export interface AgentRequest {
  readonly traceId: string;
  /** Span id that the agent received as the parent of its spans. */
  readonly spanId: string;
  readonly url: string;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  /** Why the agent did not answer; null if the agent answered. */
  readonly error: string | null;
}

const ERROR = 2;

/**
 * Returns the span of the HTTP request to an agent, as an OTLP/JSON request. Without the span of the HTTP request, the parent of the
 * agent's root span would be missing, and the run would be incomplete. Credentials and parameters of the URL are removed.
 */
export function askingSpan({ traceId, spanId, url, startUnixMs, endUnixMs, error }: AgentRequest): string {
  const { protocol, hostname, pathname } = new URL(url);
  const attributes = {
    "http.request.method": "POST",
    "server.address": hostname,
    "url.scheme": protocol.slice(0, -1),
    "url.path": pathname,
  };
  const span = {
    traceId,
    spanId,
    name: "POST",
    kind: SpanKind.client,
    startTimeUnixNano: nanoseconds(startUnixMs),
    endTimeUnixNano: nanoseconds(endUnixMs),
    attributes: keyValues(Object.entries(attributes)),
    status: error === null ? {} : { code: ERROR, message: error },
  };
  const scope = { name: askingScope };
  const resource = { attributes: keyValues([["service.name", "tracejury"]]) };
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [span] }] }] });
}

function nanoseconds(unixMs: number): string {
  return `${Math.round(unixMs * 1000)}000`;
}
