import type { AgentRun } from "../../model/run.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { Recording } from "./models/recording.ts";
import { groupBy } from "../../support/structures/group-by.ts";

/** One user message of a conversation, with the messages before it. */
export interface PlannedTurn {
  /** Number of the turn in its conversation, from 1. */
  readonly number: number;
  readonly text: string;
  /** Session id of the conversation, the same for all its turns. */
  readonly session: string;
  /** Questions and answers before this turn. */
  readonly history: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
}

/** A planned call of the agent with one query. */
export interface CallPlan {
  readonly spec: CompiledSpec;
  readonly query: CompiledQuery;
  /** Number of the call among all calls with the query, from 1. */
  readonly number: number;
  /** Folder for the agent's telemetry and output. */
  readonly folder: string;
  /**
   * The recorded run whose model answers are played back. Absent if a live model answers, or if the query is a conversation, whose turns
   * are sent one by one.
   */
  readonly recording?: Recording;
  /** The turn to send, if the query is a conversation. */
  readonly turn?: PlannedTurn;
}

/**
 * Returns the user message for the agent: the text of the turn, otherwise the query of the recorded run, otherwise the text of the query.
 */
export function textOfPlan({ turn, query, recording }: CallPlan): string {
  return turn?.text ?? recording?.query ?? query.text;
}

/** Result of a call. `failed`: the call ended with an error. `silent`: the call succeeded, but no agent run arrived. */
export type CallOutcome = "ok" | "failed" | "timed_out" | "silent" | "not_started";

/** What happened in one call of the agent. */
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

/** Returns the result of a call that was not made. */
export function notStarted(plan: CallPlan, reason: string, hint: string): AgentCall {
  const nothing = { exitCode: null, signal: null, durationMs: 0, requests: 0, spans: 0, runs: [] };
  return { plan, outcome: "not_started", ...nothing, reason, hint };
}

/** Whether the query can be sent to the agent: its text, or in a conversation the text of each turn, is not `*`. */
export function isConversation({ scope }: Pick<CompiledQuery, "scope">): boolean {
  return scope === "conversation";
}

/** Whether the query can be sent to the agent: it has an exact text (not a pattern or `*`), and so has each of its turns. */
export function isAskable({ text, turns }: Pick<CompiledQuery, "text" | "turns">): boolean {
  return turns.length === 0 ? text !== "*" : turns.every((turn) => turn.text !== "*");
}

/** A text to send to the agent, for all queries with this id and text. */
export interface Askable {
  readonly spec: CompiledSpec;
  readonly query: CompiledQuery;
  /** All queries with the same id and text, in all specs. One call of the agent answers all of these queries. */
  readonly queries: readonly { readonly spec: CompiledSpec; readonly query: CompiledQuery }[];
}

/**
 * Groups the queries that one call of the agent answers: those with equal id and text. By default, skips queries that are not `isAskable`.
 */
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

/** Returns the calls for all questions in rounds: the first call for each question, then the second call for each question, and so on. */
export function plansOf(
  askables: readonly Askable[],
  runs: number,
  folderOf: (query: CompiledQuery, number: number) => string,
): readonly CallPlan[] {
  return Array.from({ length: runs }, (_, at) => at + 1).flatMap((number) =>
    askables.map(({ spec, query }) => ({ spec, query, number, folder: folderOf(query, number) })),
  );
}
