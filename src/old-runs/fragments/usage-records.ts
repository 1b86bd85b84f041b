import type { SpanNode } from "../span/span-node.ts";

/** Whether a span only records usage: no operation, no messages, no finish reason, no events. */
export function isUsageRecord({ role, reading, span }: SpanNode): boolean {
  return (
    role === "call" && reading.layout.isUsageRecord && span.events.length === 0 && span.logs.length === 0
  );
}

const noRecords: ReadonlyMap<SpanNode, readonly SpanNode[]> = new Map();

/** Spans of model calls, and for those that count nothing themselves the record of their usage. */
export interface CallSpans {
  readonly spans: readonly SpanNode[];
  readonly records: ReadonlyMap<SpanNode, readonly SpanNode[]>;
}

/**
 * The call spans without those that only record usage beside the calls of the same producer: framework accounting, which repeats what
 * the calls' own spans count, or counts what they do not. `all`: by start.
 */
export function withoutUsageRecords(all: readonly SpanNode[]): CallSpans {
  if (!all.some(isUsageRecord)) return { spans: all, records: noRecords };
  const producers = new Set<string>();
  for (const node of all) if (!isUsageRecord(node)) producers.add(node.span.scopeName);
  const spans: SpanNode[] = [];
  const records = new Map<SpanNode, readonly SpanNode[]>();
  const latest = new Map<string, SpanNode>();
  for (const node of all) {
    const scope = node.span.scopeName;
    const isRecord = isUsageRecord(node);
    if (!isRecord || !producers.has(scope)) spans.push(node);
    const call = isRecord ? latest.get(scope) : undefined;
    if (!isRecord) latest.set(scope, node);
    else if (call !== undefined && call.counts.output === undefined && !records.has(call))
      records.set(call, [node]);
  }
  return { spans, records };
}
