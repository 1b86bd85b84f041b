import type { JudgeUsage } from "./port.ts";

/** What the first, cheaper model of a cascade did for one question. */
export interface CascadeStep {
  readonly first: string;
  /** Tokens of the first model's reply. */
  readonly usage: JudgeUsage;
  /** Judges that were not called because the first model was sure; empty if the first model was not sure. */
  readonly spared: readonly string[];
}
