import type { CheckContext, Finding } from "../check.ts";
import { incomplete } from "../../result/finding.ts";

/** The verdict of every answer check on a run whose answer was not captured. An empty answer is one. */
export function withoutAnswer(context: CheckContext): Finding {
  return incomplete("answer", "the answer was not captured", context.run);
}

/** The span that speaks for the answer: the run's root. */
export function answerSpans(context: CheckContext): readonly string[] {
  return [context.run.rootSpanId];
}
