import type { AgentRun } from "../../model/run.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { Recording } from "./models/recording.ts";
import { groupBy } from "../../support/structures/group-by.ts";

/** One message of a conversation, with the messages before it. */
export interface PlannedTurn {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** The same for all turns of a conversation, and for no other. */
  readonly session: string;
  /** Questions and answers before it. */
  readonly history: readonly { readonly role: "user" | "assistant"; readonly content: string }[];
}

/** One query to be put to the agent once. */
export interface CallPlan {
  readonly spec: CompiledSpec;
  readonly query: CompiledQuery;
  /** Counts from 1 within the query. */
  readonly number: number;
  /** Where what the agent sends and prints is kept. */
  readonly folder: string;
  /** The recorded run whose answers the model gives; absent where a model is asked, or turns are put one by one. */
  readonly recording?: Recording;
  /** Which turn, where the query is a conversation and its turns are put one by one. */
  readonly turn?: PlannedTurn;
}

/** The text that is put to the agent. */
export function textOfPlan({ turn, query, recording }: CallPlan): string {
  return turn?.text ?? recording?.query ?? query.text;
}

/** `failed`: it ended with an error. `silent`: it ended well and no agent run came of it. */
export type CallOutcome = "ok" | "failed" | "timed_out" | "silent" | "not_started";

/** Result of one query to the agent. */
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
  /** Remedy; empty if unknown. */
  readonly hint: string;
}

/** Whether its turns are put one by one. */
export function isConversation({ scope }: Pick<CompiledQuery, "scope">): boolean {
  return scope === "conversation";
}

/** Whether each text that is to be put to the agent is known. */
export function isAskable({ text, turns }: Pick<CompiledQuery, "text" | "turns">): boolean {
  return turns.length === 0 ? text !== "*" : turns.every((turn) => turn.text !== "*");
}

/** A question that is put to the agent for all queries that ask it. */
export interface Askable {
  readonly spec: CompiledSpec;
  readonly query: CompiledQuery;
  /** All queries with this id and text, in any spec: one call answers them all. */
  readonly queries: readonly { readonly spec: CompiledSpec; readonly query: CompiledQuery }[];
}

/** The questions of the queries. Queries without a text to ask are left out, unless `isWanted` says otherwise. */
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

/** The calls of all questions: every first call, then every second one, and so on. */
export function plansOf(
  askables: readonly Askable[],
  runs: number,
  folderOf: (query: CompiledQuery, number: number) => string,
): readonly CallPlan[] {
  return Array.from({ length: runs }, (_, at) => at + 1).flatMap((number) =>
    askables.map(({ spec, query }) => ({ spec, query, number, folder: folderOf(query, number) })),
  );
}
