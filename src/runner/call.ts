import type { AgentRun } from "../model/run.ts";
import type { CompiledQuery, CompiledSpec } from "../spec/compiled.ts";

/** One query to be put to the agent once. */
export interface CallPlan {
  readonly spec: CompiledSpec;
  readonly query: CompiledQuery;
  /** Counts from 1 within the query. */
  readonly number: number;
  /** Where what the agent sends and prints is kept. */
  readonly folder: string;
}

/** `failed`: it ended with an error. `silent`: it ended well and no agent run came of it. */
export type CallOutcome = "ok" | "failed" | "timed_out" | "silent" | "not_started";

/** What came of putting one query to the agent. */
export interface AgentCall {
  readonly plan: CallPlan;
  readonly outcome: CallOutcome;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  /** Export requests that were taken. */
  readonly requests: number;
  readonly spans: number;
  /** Runs in what was received, in their order. */
  readonly runs: readonly AgentRun[];
  /** Why the outcome is not `ok`; empty when it is. */
  readonly reason: string;
  /** What to do about it; empty where nothing is known. */
  readonly hint: string;
}

/** The queries of the specs as calls, `runs` of each: all first calls, then all second ones. Wildcards and conversations ask nothing. */
export function plansOf(
  selected: readonly { readonly spec: CompiledSpec; readonly query: CompiledQuery }[],
  runs: number,
  folderOf: (query: CompiledQuery, number: number) => string,
): readonly CallPlan[] {
  const asked = new Map<string, { readonly spec: CompiledSpec; readonly query: CompiledQuery }>();
  for (const one of selected) {
    const { query } = one;
    if (query.text === "*" || query.scope === "conversation") continue;
    const key = JSON.stringify([query.id, query.text]);
    if (!asked.has(key)) asked.set(key, one);
  }
  return Array.from({ length: runs }, (_, at) => at + 1).flatMap((number) =>
    [...asked.values()].map((one) => ({ ...one, number, folder: folderOf(one.query, number) })),
  );
}
