import { askingScope } from "../../model/telemetry/own-scope.ts";
import { SpanKind } from "../../model/telemetry/span-view.ts";

/** One question that was put to an agent over HTTP. Times in milliseconds since 1970. */
export interface AgentRequest {
  readonly traceId: string;
  /** The id that the agent was given as its parent. */
  readonly spanId: string;
  readonly url: string;
  readonly startUnixMs: number;
  readonly endUnixMs: number;
  /** Why it was not answered; null when it was. */
  readonly error: string | null;
}

const ERROR = 2;

/**
 * The span of ours that an agent's spans hang below, as an OTLP/JSON request: without it the agent's root would be the child of a span that
 * never comes, and its run incomplete. Credentials and parameters of the address are left out.
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
    attributes: keyValues(attributes),
    status: error === null ? {} : { code: ERROR, message: error },
  };
  const scope = { name: askingScope };
  const resource = { attributes: keyValues({ "service.name": "tracejury" }) };
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [span] }] }] });
}

function keyValues(attributes: Readonly<Record<string, string>>): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: { stringValue: value } }));
}

function nanoseconds(unixMs: number): string {
  return `${Math.round(unixMs * 1000)}000`;
}
