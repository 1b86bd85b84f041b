import type { AgentTrace } from "../../chaos/agent-trace.ts";
import type { Line } from "./group.ts";

export interface Account {
  readonly traces: number;
  readonly missing: number;
  /** Traces with more than one verdict that counts: two ids, or two of the last revision that do not say the same. */
  readonly contradicted: number;
  /** Lines that say once more, under the same id and revision, what was said. */
  readonly repeated: number;
  /** Traces whose final verdict is not that of the whole trace. */
  readonly partial: number;
  readonly revised: number;
}

/** What verdicts there are of each trace that was sent; each has `tools` tool calls. */
export function account(sent: readonly AgentTrace[], lines: readonly Line[]): Account {
  const byTrace = new Map<string, Line[]>();
  for (const line of lines) byTrace.set(line.trace_id, [...(byTrace.get(line.trace_id) ?? []), line]);
  const sum = { missing: 0, contradicted: 0, repeated: 0, partial: 0, revised: 0 };
  for (const { traceId, tools } of sent) {
    const all = byTrace.get(traceId) ?? [];
    const last = Math.max(...all.map(({ revision }) => revision));
    const final = all.filter(({ revision }) => revision === last);
    const [one] = final;
    if (one === undefined) {
      sum.missing++;
      continue;
    }
    const ids = new Set(all.map((line) => line.verdict_id));
    const said = new Set(final.map((line) => `${line.outcome} ${line.metrics.tool_calls}`));
    if (ids.size > 1 || said.size > 1) sum.contradicted++;
    sum.repeated += all.length - new Set(all.map(({ revision }) => revision)).size;
    if (last > 1) sum.revised++;
    if (!one.complete || one.outcome !== "pass" || one.metrics.tool_calls !== tools.length) sum.partial++;
  }
  return { traces: sent.length, ...sum };
}

export function isGood({ missing, contradicted, partial }: Account): boolean {
  return missing + contradicted + partial === 0;
}
