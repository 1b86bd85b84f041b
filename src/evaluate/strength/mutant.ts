import type { AgentRun } from "../../model/run.ts";

/** Kinds of faults that mutation testing inserts into a good run. */
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

/** A copy of a good run with one fault. A spec whose checks do not detect the fault is too weak. */
export interface Mutant {
  readonly mutation: Mutation;
  /** Description of the fault, such as "lookup_order (call 2 of 3) was left out". */
  readonly what: string;
  readonly run: AgentRun;
}
