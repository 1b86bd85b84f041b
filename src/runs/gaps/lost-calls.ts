import type { LlmCall } from "../calls/llm-call.ts";
import type { Evidence } from "../evidence.ts";
import type { Steps } from "../ledger/steps.ts";

/** Why the model calls in the data are fewer than those that were made; null when nothing shows that. */
export function lossOf(evidence: Evidence, steps: Steps, answer: string | null, last: LlmCall | null): string | null {
  void evidence;
  void answer;
  void last;
  return steps.isCallLost ? "a later call's history shows a model call that has no span, or one without contents: raise the exporter's queue size, or sample whole traces" : null;
}
