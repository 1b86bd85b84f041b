import type { CheckContext, Finding } from "../check.ts";
import { incomplete } from "../../result/finding.ts";
import { cutNote } from "../../rules/cut-values.ts";

/** Returns the `incomplete` finding of an answer check for a run whose answer is null. An empty answer is not null. */
export function withoutAnswer(context: CheckContext): Finding {
  const cut = cutNote("answer", context.run);
  const message = cut === undefined ? "the answer was not captured" : `the answer was ${cut}`;
  return incomplete("answer", message, context.run);
}

/** Returns the evidence for the answer and for totals of the run: the root span. */
export function rootSpan({ run }: CheckContext): { readonly spanIds: readonly string[] } {
  return { spanIds: [run.rootSpanId] };
}
