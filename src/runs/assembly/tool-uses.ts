import type { LlmCall } from "../fragments/llm-call.ts";
import type { RequestedToolCall } from "./requested-tools.ts";
import { OpenUses } from "./open-uses.ts";
import { ResumedUses } from "./resumed-uses.ts";
import type { ToolExecution } from "./tool-executions.ts";
import type { ToolUse } from "./tool-use.ts";

/** Matches what ran to what was requested, and puts all in the model's order. */
export function matchUses(
  asked: readonly RequestedToolCall[],
  spans: readonly ToolExecution[],
  calls: readonly LlmCall[],
): readonly ToolUse[] {
  const uses: ToolUse[] = asked.map((one) => ({
    requested: one,
    executions: [],
    at: calls[one.call]?.start ?? 0,
  }));
  const left = addById(spans, uses);
  const resumed = isOfSeveralTraces(spans) ? new ResumedUses(uses, addSpan) : undefined;
  const open = new OpenUses(asked, (place) => uses[place]?.executions.length === 0);
  const take = (span: ToolExecution, use: ToolUse | undefined): boolean => {
    if (use === undefined) return false;
    addSpan(use, span);
    resumed?.note(use, span);
    return true;
  };
  // A span whose request is not in the data does not take that of a span with the same arguments.
  const rest = left.filter((span) => !take(span, uses[open.withArguments(span.name, span.arguments) ?? -1]));
  const unmatched = rest.filter((span) => {
    const use = uses[open.named(span.name) ?? -1];
    if (use !== undefined && !isAskedLater(use, span) && take(span, use)) return false;
    return resumed?.resume(span) !== true;
  });
  return between(resumed === undefined ? aloneOf(unmatched, uses) : resumed.aloneOf(unmatched), uses);
}

/** With other arguments, and after the span had ended: another call's. */
function isAskedLater({ requested, at }: ToolUse, { nodes, arguments: args }: ToolExecution): boolean {
  return args !== undefined && requested?.arguments !== undefined && at > nodes[0].end;
}

/** Two spans of one id are one call: it waited for an approval. Gives those whose id nobody asked under. */
function addById(spans: readonly ToolExecution[], uses: readonly ToolUse[]): readonly ToolExecution[] {
  if (spans.length === 0) return spans;
  const byId = new Map<string, ToolUse>();
  for (const use of uses) for (const id of use.requested?.ids ?? []) if (!byId.has(id)) byId.set(id, use);
  return spans.filter((span) => {
    const use = span.callId === undefined ? undefined : byId.get(span.callId);
    if (use !== undefined) addSpan(use, span);
    return use === undefined;
  });
}

/** Only then can an execution go on that stopped in an earlier trace. */
function isOfSeveralTraces(spans: readonly ToolExecution[]): boolean {
  const first = spans[0]?.nodes[0].span.traceId;
  return spans.some(({ nodes }) => nodes[0].span.traceId !== first);
}

/** In order of start; they mostly come so. */
function addSpan({ executions }: ToolUse, span: ToolExecution): void {
  const { start } = span.nodes[0];
  let at = executions.length;
  while (at > 0 && (executions[at - 1]?.nodes[0].start ?? 0) > start) at--;
  executions.splice(at, 0, span);
}

/** The uses that no model call requested; several of one id are one. */
function aloneOf(spans: readonly ToolExecution[], uses: readonly ToolUse[]): ToolUse[] {
  if (spans.length === 0) return [];
  const byId = new Map<string | undefined, ToolUse>();
  for (const use of uses) {
    const id = use.executions[0]?.callId;
    if (id !== undefined && !byId.has(id)) byId.set(id, use);
  }
  const alone: ToolUse[] = [];
  for (const span of spans) {
    const same = span.callId === undefined ? undefined : byId.get(span.callId);
    if (same !== undefined) {
      addSpan(same, span);
      continue;
    }
    const use = { requested: undefined, executions: [span], at: span.nodes[0].start };
    alone.push(use);
    if (span.callId !== undefined) byId.set(span.callId, use);
  }
  return alone;
}

/** `uses`, with each of the others before the first that came later. */
function between(others: readonly ToolUse[], uses: readonly ToolUse[]): readonly ToolUse[] {
  if (others.length === 0) return uses;
  const sorted = others.toSorted((a, b) => a.at - b.at);
  const all: ToolUse[] = [];
  let next = 0;
  for (const use of uses) {
    for (let other = sorted[next]; other !== undefined && other.at < use.at; other = sorted[++next])
      all.push(other);
    all.push(use);
  }
  return [...all, ...sorted.slice(next)];
}
