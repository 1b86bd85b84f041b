import type { AgentRun } from "../../model/run.ts";

/** Kinds of faults that turn a good run into a bad one. */
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

/** A changed run with one fault. A spec that does not notice the fault passes the mutant. */
export interface Mutant {
  readonly mutation: Mutation;
  /** Description of the fault, such as "lookup_order (call 2 of 3) was left out". */
  readonly what: string;
  readonly run: AgentRun;
}
