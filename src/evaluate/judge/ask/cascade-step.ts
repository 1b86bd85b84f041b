import type { JudgeUsage } from "./port.ts";

/** A question to a first, cheaper model, before the other judges are asked. */
export interface CascadeStep {
  readonly first: string;
  /** Token usage of the first model's reply. */
  readonly usage: JudgeUsage;
  /** Judges that were not called because the first model was sure; empty otherwise. */
  readonly spared: readonly string[];
}
