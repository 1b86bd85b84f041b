import type { LlmCall } from "../fragments/llm-call.ts";
import type { Missing } from "../../model/run.ts";
import type { Evidence } from "./evidence.ts";
import { nodeUsage } from "../fragments/tokens.ts";

/** What a run's telemetry left open, though the run itself is whole. */
export interface Known {
  readonly query: string | null;
  readonly answer: string | null;
  readonly failed: boolean;
  readonly inputTokens: number | null;
}

/** What cannot be known of a run, and why; unlike gaps these do not make it incomplete. */
export function unknownsOf({ calls, nodes, toolNodes }: Evidence, known: Known): Missing[] {
  const worked = calls.length > 0 || toolNodes.length > 0;
  const differing = calls.filter(hasTwoCounts).length;
  let cut = 0;
  let unexamined = 0;
  for (const { span, reading } of nodes) {
    if (span.droppedAttributes > 0) cut++;
    unexamined += reading.unexamined;
  }
  const unknowns: Missing[] = [];
  if (known.query === null && worked)
    unknowns.push({
      what: "query",
      why: "no words of a user anywhere: contents are switched off or were cut off",
    });
  if (known.answer === null && !known.failed && worked)
    unknowns.push({ what: "answer", why: "no words of the last model call and none of the root" });
  if (known.inputTokens === null && worked)
    unknowns.push({ what: "tokens", why: "not every model call reports its usage" });
  if (differing > 0)
    unknowns.push({
      what: "tokens",
      why: `${differing} ${differing === 1 ? "call is" : "calls are"} counted otherwise in another of its spans: the innermost is believed`,
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
    { what: "cost", why: `no price for ${kinds.join(" and ")} in ${where}: counted at the usual price` },
  ];
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
