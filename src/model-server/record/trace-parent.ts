/** A span of the client that a call belongs below. */
export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
}

/** Where a call comes from. */
export interface CallOrigin {
  readonly callId: string | null;
  readonly parent: TraceParent | null;
}

const form = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:-|$)/;

/** The W3C `traceparent` of a request; null for none, or one that is not valid. */
export function traceParentOf(header: string | string[] | undefined): TraceParent | null {
  const [, traceId, spanId] = form.exec(typeof header === "string" ? header.trim() : "") ?? [];
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId };
}
