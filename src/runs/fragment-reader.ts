import { SpanKind } from "../model/span-view.ts";
import type { Trace } from "../assemble/trace.ts";
import type { Adapter } from "./adapter.ts";
import { classify } from "./span/role-of-span.ts";
import { connect, isNone } from "./fragments/connect.ts";
import { createFieldTable } from "./layout/field-table.ts";
import { Fragment } from "./fragments/fragment.ts";
import { SpanNode } from "./span/span-node.ts";
import { isRun } from "./fragments/is-run.ts";
import { NonAgentFilter } from "./fragments/non-agent-filter.ts";
import { FieldReader } from "./span/span-reading.ts";
import { splitRuns } from "./fragments/split-runs.ts";

/** Reads traces into fragments of runs: several where a trace holds several runs, none where it holds none. */
export type Adapt = (trace: Trace) => Fragment[];

/** The adapters' order decides which attribute is believed where several say the same thing differently. */
export function createAdapt(adapters: readonly Adapter[]): Adapt {
  const table = createFieldTable(adapters);
  const reader = new FieldReader(table);
  const filter = new NonAgentFilter(reader);
  return (trace) => {
    if (trace.spans.length > maxErrorOnlySpans && trace.spans.every((span) => filter.holds(span))) return [];
    const nodes = nodesOf(trace, reader);
    const runs = splitRuns(nodes).filter(({ nodes: own }) => isRun(own));
    if (runs.length > 0) return runs.map((parts) => new Fragment(trace, parts));
    const failed = failedAlone(nodes);
    return failed === undefined ? [] : [new Fragment(trace, { root: failed, nodes }, true)];
  };
}

/** Most spans that a trace without any agent may have to be taken for one that failed before its agent began. */
const maxErrorOnlySpans = 3;

/** An application's own span, ended by a failure, and nothing about agents: a guardrail may have stopped it. */
function failedAlone(nodes: readonly SpanNode[]): SpanNode | undefined {
  const [root] = nodes;
  if (root === undefined || nodes.length > maxErrorOnlySpans || root.parent !== undefined) return undefined;
  const isOwnWork = nodes.every(({ span, role }) => span.kind <= SpanKind.internal && role === "unknown");
  return isOwnWork && root.failure !== null ? root : undefined;
}

function nodesOf(trace: Trace, reader: FieldReader): SpanNode[] {
  const all = trace.spans.map((span) => {
    const reading = reader.read(span);
    return new SpanNode(reading, classify(reading), reader);
  });
  connect(trace, all);
  return all.some(isNone) ? all.filter((node) => !isNone(node)) : all;
}
