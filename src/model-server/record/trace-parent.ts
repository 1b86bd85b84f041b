/** Parent span that a client names. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
}

/** Origin of a model call: the agent call that it belongs to, and the parent span that the client named. */
export interface CallOrigin {
  readonly callId: string | null;
  readonly parent: TraceParent | null;
}

const form = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:-|$)/;

/** Parses the W3C `traceparent` header of a request; null if it is missing or invalid. */
export function traceParentOf(header: string | string[] | undefined): TraceParent | null {
  const [, traceId, spanId] = form.exec(typeof header === "string" ? header.trim() : "") ?? [];
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId };
}
