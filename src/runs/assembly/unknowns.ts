import type { LlmCall } from "../fragments/llm-call.ts";
import type { Missing } from "../../model/run.ts";
import type { SpanView } from "../../model/span-view.ts";
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
export function unknownsOf(evidence: Pick<Evidence, "calls" | "nodes">, known: Known): Missing[] {
  const worked = evidence.calls.length > 0 || evidence.nodes.some(({ role }) => role === "tool");
  const spans = evidence.nodes.map(({ span }) => span);
  return unknownsAmong({ worked, differing: evidence.calls.filter(hasTwoCounts).length, spans }, known);
}

/** What a run's spans tell of what they lack. */
interface Seen {
  /** A model was called, or a tool ran. */
  readonly worked: boolean;
  /** Calls of which two spans count other tokens. */
  readonly differing: number;
  readonly spans: readonly SpanView[];
}

export function unknownsAmong({ worked, differing, spans }: Seen, known: Known): Missing[] {
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
  let cut = 0;
  for (let at = 0; at < spans.length; at++) if ((spans[at] as SpanView).droppedAttributes > 0) cut++;
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
