import type { CheckContext, Finding } from "../check.ts";
import { incomplete } from "../../result/finding.ts";
import { cutNote } from "../../rules/cut-values.ts";

/**
 * Returns the finding of an answer check if the answer was not captured. An empty answer counts as captured.
 */
export function withoutAnswer(context: CheckContext): Finding {
  const cut = cutNote("answer", context.run);
  const message = cut === undefined ? "the answer was not captured" : `the answer was ${cut}`;
  return incomplete("answer", message, context.run);
}

/** Returns the span that is the evidence for the answer: the root span of the run. */
export function answerSpans(context: CheckContext): readonly string[] {
  return [context.run.rootSpanId];
}
