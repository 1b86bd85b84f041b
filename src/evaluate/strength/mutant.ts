import type { AgentRun } from "../../model/run.ts";

/** Ways in which a good run is made a bad one. */
export const mutations = [
  "drop",
  "repeat",
  "swap",
  "forge",
  "handoff",
  "tokens",
  "answer",
  "number",
  "unit",
  "name",
  "invention",
] as const;
export type Mutation = (typeof mutations)[number];

/** A run that went wrong in one way: a spec that notices nothing would let it pass. */
export interface Mutant {
  readonly mutation: Mutation;
  /** Its fault: "lookup_order (call 2 of 3) was left out". */
  readonly what: string;
  readonly run: AgentRun;
}
