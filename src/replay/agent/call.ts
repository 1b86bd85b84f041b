import type { AgentRun } from "../../model/run.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { Recording } from "./models/recording.ts";
import { groupBy } from "../../support/structures/group-by.ts";

/** One message of a conversation, with the messages before it. */
export interface PlannedTurn {
  /** Number of the turn, from 1. */
  readonly number: number;
  readonly text: string;
  /** Session id of the conversation. The turns of one conversation have the same id. */
  readonly session: string;
  /** Questions and answers before this turn. */
  readonly history: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
}

/** One call of the agent with one query. */
export interface CallPlan {
  readonly spec: CompiledSpec;
  readonly query: CompiledQuery;
  /** Number of the call within the query, from 1. */
  readonly number: number;
  /** Folder for the agent's telemetry and output. */
  readonly folder: string;
  /** The recorded run with the model's answers; absent with a live model, or if turns are sent separately. */
  readonly recording?: Recording;
  /** The turn, if the turns of a conversation are sent separately. */
  readonly turn?: PlannedTurn;
}

/** Returns the text that the agent receives. */
export function textOfPlan({ turn, query, recording }: CallPlan): string {
  return turn?.text ?? recording?.query ?? query.text;
}

/** `failed`: the call ended with an error. `silent`: the call succeeded but produced no agent run. */
export type CallOutcome = "ok" | "failed" | "timed_out" | "silent" | "not_started";

/** Result of one query to the agent. */
export interface AgentCall {
  readonly plan: CallPlan;
  readonly outcome: CallOutcome;
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly durationMs: number;
  /** Number of accepted export requests. */
  readonly requests: number;
  readonly spans: number;
  /** Runs in the telemetry of the call, in order. */
  readonly runs: readonly AgentRun[];
  /** Why the outcome is not `ok`; empty for `ok`. */
  readonly reason: string;
  /** How to fix the problem; empty if unknown. */
  readonly hint: string;
}

/** Whether the query is a conversation, whose turns are sent separately. */
export function isConversation({ scope }: Pick<CompiledQuery, "scope">): boolean {
  return scope === "conversation";
}

/** Whether every text of the query is known, so that the query can be sent to the agent. */
export function isAskable({ text, turns }: Pick<CompiledQuery, "text" | "turns">): boolean {
  return turns.length === 0 ? text !== "*" : turns.every((turn) => turn.text !== "*");
}

/** A question to the agent, for all queries with the same id and text. */
export interface Askable {
  readonly spec: CompiledSpec;
  readonly query: CompiledQuery;
  /** All queries with this id and text, in any spec. One call of the agent answers these queries. */
  readonly queries: readonly { readonly spec: CompiledSpec; readonly query: CompiledQuery }[];
}

/** Returns the questions of the queries. By default, queries without a known text are left out. */
export function askablesOf(
  selected: readonly { readonly spec: CompiledSpec; readonly query: CompiledQuery }[],
  isWanted: (query: CompiledQuery) => boolean = isAskable,
): readonly Askable[] {
  const asked = groupBy(selected, ({ query }) =>
    isWanted(query) ? JSON.stringify([query.id, query.text]) : undefined,
  );
  return [...asked.values()].flatMap((queries) => {
    const [first] = queries;
    return first === undefined ? [] : [{ ...first, queries }];
  });
}

/**
 * Returns the calls of all questions, in rounds: the first call of each question, then the second of each,
 * and so on.
 */
export function plansOf(
  askables: readonly Askable[],
  runs: number,
  folderOf: (query: CompiledQuery, number: number) => string,
): readonly CallPlan[] {
  return Array.from({ length: runs }, (_, at) => at + 1).flatMap((number) =>
    askables.map(({ spec, query }) => ({ spec, query, number, folder: folderOf(query, number) })),
  );
}
