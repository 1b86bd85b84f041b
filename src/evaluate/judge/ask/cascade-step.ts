import type { JudgeUsage } from "./port.ts";

/** A question that was put to a first, cheaper model before the judges it is in place of. */
export interface CascadeStep {
  readonly first: string;
  /** From the first model's reply. */
  readonly usage: JudgeUsage;
  /** Judges that were not called because the first model was sure; empty otherwise. */
  readonly spared: readonly string[];
}
