import type { JudgeUsage } from "./port.ts";

/** Result of a question to the first, cheaper model of a cascade. */
export interface CascadeStep {
  readonly first: string;
  /** Token usage of the first model's reply. */
  readonly usage: JudgeUsage;
  /** Judges that were not called because the first model was sure; empty if the first model was not sure. */
  readonly spared: readonly string[];
}
