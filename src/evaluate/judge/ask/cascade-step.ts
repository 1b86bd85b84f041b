import type { JudgeUsage } from "./port.ts";

/** Result of a question to a cheaper model, which is asked before the other judges. */
export interface CascadeStep {
  readonly first: string;
  /** Token usage of the first model's reply. */
  readonly usage: JudgeUsage;
  /** Judges that were not called because the first model was sure; empty otherwise. */
  readonly spared: readonly string[];
}
