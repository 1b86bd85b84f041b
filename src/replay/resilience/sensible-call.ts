import type { FaultKind } from "../../model/fault-kinds.ts";
import type { Fault } from "../../model-server/faults/fault.ts";

const ofTools: readonly FaultKind[] = ["unknown-tool", "bad-json", "schema-violation"];
const ofAnswers: readonly FaultKind[] = ["empty", "length", "refusal", "content-filter"];

/**
 * Returns a fault, with the number of the model call where it has most effect. A tool fault applies to the first call that requests tools.
 * `same-tool-again` applies to the call after the first call that requests tools. An answer fault applies to the last answer. Any other
 * fault applies to the second call, or to the only call. Null if no model call suits the fault.
 * @param asked whether each model call of the run without a fault requested tools; null for a failed call
 */
export function sensibleFault(kind: FaultKind, asked: readonly (boolean | null)[]): Fault | null {
  if (asked.length === 0) return null;
  const firstOfTools = asked.indexOf(true);
  if (kind === "same-tool-again") {
    return firstOfTools < 0 ? null : { kind, at: firstOfTools + 2, isLasting: true };
  }
  if (ofTools.includes(kind)) {
    return firstOfTools < 0 ? null : { kind, at: firstOfTools + 1, isLasting: false };
  }
  if (ofAnswers.includes(kind)) {
    const last = asked.lastIndexOf(false);
    return last < 0 ? null : { kind, at: last + 1, isLasting: false };
  }
  return { kind, at: Math.min(2, asked.length), isLasting: false };
}
