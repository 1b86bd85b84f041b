import type { AgentRun } from "../model/run.ts";
import type { QueryMatch } from "../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../evaluate/query/compiled.ts";
import { foldAgentName } from "./rules/agent-name.ts";
import { hitOf, type Captures, type Hit } from "./hit.ts";
import { SpecIndex } from "./index/spec-index.ts";
import { whereHolds } from "./rules/where.ts";

/** Run attribute with the id of the query, which a test harness can set. */
export const queryIdAttribute = "tracejury.query.id";

/** Fields of a run that matching uses. */
export type MatchedRun = Pick<AgentRun, "agent" | "service" | "query" | "attributes" | "turns">;

/** Reason why no query matches a run. */
export type UnmatchedCause = "other-agent" | "unknown-id" | "no-text" | "no-query";

export type MatchResult =
  | {
      readonly kind: "matched";
      readonly query: CompiledQuery;
      readonly match: QueryMatch;
      /** Captured texts; empty unless the pattern matched. */
      readonly captures: Captures;
    }
  | { readonly kind: "unmatched"; readonly cause: UnmatchedCause; readonly reason: string }
  | {
      readonly kind: "ambiguous";
      readonly candidates: readonly CompiledQuery[];
      readonly how: QueryMatch["how"];
    };

export interface Matcher {
  /**
   * Returns the query of the spec that the run answers. Conversations match queries about conversations, by their first query text; single
   * runs match the other queries. Indexes the spec if necessary.
   */
  match(run: MatchedRun, spec: CompiledSpec): MatchResult;
}

/** Returns a matcher that indexes the specs, so that the text of a run is compared with few of their queries. */
export function createMatcher(specs: readonly CompiledSpec[]): Matcher {
  const indexes = new Map(specs.map((spec) => [spec, indexesOf(spec)]));
  return {
    match(run, spec) {
      let both = indexes.get(spec);
      if (!both) indexes.set(spec, (both = indexesOf(spec)));
      const [index, other] =
        run.turns === undefined ? [both.run, both.conversation] : [both.conversation, both.run];
      if (!isOfAgent(run, index)) return otherAgent(run, spec);
      const id = namedId(run);
      const named = id === undefined ? undefined : byId(id, run, index, other);
      if (named !== undefined && named !== "unknown") return named;
      const rejected: Hit[] = [];
      const found =
        byText(run, index, rejected) ??
        oneOf(index.wildcards, run, "wildcard", rejected) ??
        noQuery(run, rejected[0]);
      return named === undefined || id === undefined ? found : withUnknownId(found, id);
    },
  };
}

function indexesOf(spec: CompiledSpec) {
  return { run: new SpecIndex(spec, "run"), conversation: new SpecIndex(spec, "conversation") };
}

/**
 * Whether the run's agent or service has the name of the spec's agent. True for every run if the spec applies to any agent. For a
 * conversation, one turn of the spec's agent is enough.
 */
function isOfAgent(run: MatchedRun, index: SpecIndex): boolean {
  const { agent } = index;
  if (agent === undefined) return true;
  if (run.turns?.some((turn) => isOfAgent(turn, index)) === true) return true;
  if (run.agent !== null && foldAgentName(run.agent) === agent) return true;
  return run.service !== null && foldAgentName(run.service) === agent;
}

/** Returns the query id in the run's attributes; undefined if there is none. */
export function namedId(run: MatchedRun): string | undefined {
  const id = run.attributes.get(queryIdAttribute);
  if (id === undefined || id === null || id === "") return undefined;
  return typeof id === "string" || typeof id === "number" ? String(id) : JSON.stringify(id);
}

/**
 * Matches a run by the query id in its attributes. Returns "unknown" if the spec has no query with this id, and undefined if a conversation
 * names a query about single runs. The result is "unmatched" in two cases: the run does not meet the query's `where`, or a single run names
 * a query about conversations.
 * @param other for a single run, the index of queries about conversations; for a conversation, the index of queries about single runs
 */
function byId(
  id: string,
  run: MatchedRun,
  index: SpecIndex,
  other: SpecIndex,
): MatchResult | "unknown" | undefined {
  const query = index.withId(id);
  if (query) {
    if (holds(query, run)) return matched(hitOf(query), "id");
    const reason = `the run names the query ${JSON.stringify(id)}, but does not meet the \`where\` of this query`;
    return { kind: "unmatched", cause: "unknown-id", reason };
  }
  if (!other.withId(id)) return "unknown";
  if (run.turns !== undefined) return undefined;
  const reason = `the run names the query ${JSON.stringify(id)}, which is about whole conversations`;
  return { kind: "unmatched", cause: "unknown-id", reason };
}

/** Adds the unknown id to the result of matching by text. An unknown id is not an error: ids are renamed, and old dumps contain old ids. */
function withUnknownId(found: MatchResult, id: string): MatchResult {
  switch (found.kind) {
    case "matched":
      return { ...found, match: { ...found.match, unknownId: id } };
    case "ambiguous":
      return found;
    case "unmatched": {
      const reason = `the run names the query ${JSON.stringify(id)}, which the spec does not have, and ${found.reason}`;
      return { kind: "unmatched", cause: "unknown-id", reason };
    }
  }
}

/**
 * Matches by exact text, normalised text, pattern, then similarity; the first of these levels with a hit decides. Adds hits whose `where`
 * the run does not meet to `rejected`.
 */
function byText(run: MatchedRun, index: SpecIndex, rejected: Hit[]): MatchResult | undefined {
  const text = run.query;
  if (text === null) return undefined;
  return (
    oneOf(index.withText(text), run, "exact", rejected) ??
    oneOf(index.withNormalisedText(text), run, "normalised", rejected) ??
    oneOf(index.patterns.hits(text), run, "pattern", rejected) ??
    oneOf(index.similar.hits(text), run, "similarity", rejected)
  );
}

function oneOf(
  hits: readonly Hit[],
  run: MatchedRun,
  how: QueryMatch["how"],
  rejected: Hit[],
): MatchResult | undefined {
  const held = hits.length < 2 ? hits : hits.filter((hit) => holds(hit.query, run));
  const [first, second] = held;
  if (!first || !holds(first.query, run)) {
    if (hits[0] !== undefined) rejected.push(hits[0]);
    return undefined;
  }
  if (second) return { kind: "ambiguous", candidates: held.map((hit) => hit.query), how };
  return matched(first, how);
}

function holds(query: CompiledQuery, run: MatchedRun): boolean {
  return query.match.where.size === 0 || whereHolds(query.match.where, run);
}

function matched({ query, captures, score }: Hit, how: QueryMatch["how"]): MatchResult {
  return { kind: "matched", query, match: score === 1 ? whole[how] : { how, score }, captures };
}

const whole: Readonly<Record<QueryMatch["how"], QueryMatch>> = {
  id: { how: "id", score: 1 },
  exact: { how: "exact", score: 1 },
  normalised: { how: "normalised", score: 1 },
  pattern: { how: "pattern", score: 1 },
  similarity: { how: "similarity", score: 1 },
  wildcard: { how: "wildcard", score: 1 },
};

function otherAgent(run: MatchedRun, spec: CompiledSpec): MatchResult {
  return { kind: "unmatched", cause: "other-agent", reason: otherAgentReason(run, [spec.agent]) };
}

/** Maximum number of agents in a message. */
const MOST_NAMED = 5;

/** Describes a run whose agent no spec evaluates: `a run of "chat-bot", but the spec is for the agent "shop-agent"`. */
export function otherAgentReason(
  run: Pick<MatchedRun, "agent" | "service">,
  agentsOfSpecs: readonly string[],
): string {
  const name = run.agent ?? run.service;
  const who = name === null ? "a run without agent and service name" : `a run of ${JSON.stringify(name)}`;
  const agents = [...new Set(agentsOfSpecs)];
  const named = agents
    .slice(0, MOST_NAMED)
    .map((agent) => JSON.stringify(agent))
    .join(", ");
  const more = agents.length > MOST_NAMED ? ` and ${agents.length - MOST_NAMED} more` : "";
  return `${who}, but the ${agents.length === 1 ? "spec is for the agent" : "specs are for the agents"} ${named}${more}`;
}

/**
 * Returns the result for a run that no query matches.
 * @param rejected a query that matches the run, except for its `where`; undefined if there is none
 */
function noQuery(run: MatchedRun, rejected: Hit | undefined): MatchResult {
  if (run.query === null) {
    return { kind: "unmatched", cause: "no-text", reason: "the telemetry lacks the run's question" };
  }
  const reason =
    rejected === undefined
      ? "no query of the spec matches the run's question"
      : `the run's question matches the query ${JSON.stringify(rejected.query.id)}, but the run does not meet the \`where\` of this query`;
  return { kind: "unmatched", cause: "no-query", reason };
}
