import type { LlmCall } from "../fragments/llm-call.ts";
import type { Missing } from "../../model/run.ts";
import type { Evidence } from "./evidence.ts";
import { nodeUsage } from "../fragments/tokens.ts";
import { isUsageRecord } from "../fragments/usage-records.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { TokenCounts } from "../span/read-usage.ts";

/** What a run's telemetry holds twice, differently, or only in part; unlike gaps these do not make it incomplete. */
export function unknownsOf({ calls, allCalls, nodes }: Evidence): Missing[] {
  const differing = calls.filter(hasTwoCounts).length;
  const records: SpanNode[] = [];
  let cut = 0;
  let unexamined = 0;
  for (const node of nodes) {
    const { span, reading } = node;
    if (isUsageRecord(node)) records.push(node);
    if (span.droppedAttributes > 0) cut++;
    unexamined += reading.unexamined;
  }
  const unknowns: Missing[] = [];
  if (differing > 0)
    unknowns.push({
      what: "token_counts",
      why: `${differing} ${differing === 1 ? "call is" : "calls are"} counted otherwise in another of its spans: the innermost is believed`,
    });
  const beyond = records.length === 0 ? 0 : beyondCalls(records, allCalls);
  if (beyond > 0)
    unknowns.push({
      what: "usage_records",
      why: `${beyond} ${beyond === 1 ? "record" : "records"} of usage that no model call shows: not counted`,
    });
  if (unexamined > 0)
    unknowns.push({
      what: "attributes",
      why: `${unexamined} attributes that no adapter names were not examined: the spans hold too many`,
    });
  if (cut > 0)
    unknowns.push({
      what: "attributes",
      why: `${cut} ${cut === 1 ? "span" : "spans"} lost attributes to the sender's limit`,
    });
  return unknowns;
}

/** A cost that is said, though the table has no price for what its calls are said to be. */
export function unpricedOf(calls: readonly { readonly unpriced: readonly string[] }[]): Missing[] {
  const kinds = [...new Set(calls.flatMap(({ unpriced }) => unpriced))].sort();
  if (kinds.length === 0) return [];
  const many = calls.filter(({ unpriced }) => unpriced.length > 0).length;
  const where = `${many} of ${calls.length} calls`;
  return [
    { what: "prices", why: `no price for ${kinds.join(" and ")} in ${where}: counted at the usual price` },
  ];
}

/** How many records of usage have counts that no call has: of work that is nowhere else in the data. */
function beyondCalls(records: readonly SpanNode[], calls: readonly LlmCall[]): number {
  const known = new Map<string, number>();
  const isLayer = new Set<SpanNode>();
  for (const { node, around, counts } of calls) {
    isLayer.add(node);
    for (const layer of around) isLayer.add(layer);
    known.set(pairOf(counts), (known.get(pairOf(counts)) ?? 0) + 1);
  }
  return records.filter((node) => {
    if (isLayer.has(node)) return false;
    const left = known.get(pairOf(node.counts)) ?? 0;
    known.set(pairOf(node.counts), left - 1);
    return left <= 0;
  }).length;
}

function pairOf({ input, output }: TokenCounts): string {
  return `${input} ${output}`;
}

/** Two layers of spans show the call, and count other tokens. */
function hasTwoCounts(call: LlmCall): boolean {
  if (call.around.length === 0) return false;
  const { output } = call.usage;
  return call.around.some((node) => {
    const other = node.role === "call" ? nodeUsage(node).output : null;
    return output !== null && other !== null && other !== output;
  });
}
