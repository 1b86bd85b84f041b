import { derivedOnce } from "../support/structures/bounded-memo.ts";
import type { NoReference, Reference } from "../evaluate/checks/check.ts";
import { needsQuality } from "../evaluate/quantities/score.ts";
import type { CompiledQuery, CompiledSpec } from "../evaluate/query/compiled.ts";
import { type Soften, softening } from "../evaluate/result/soften.ts";
import { verdictId } from "../evaluate/result/verdict.ts";
import { usesVariables, withTurnVariables, withVariables } from "../evaluate/rules/variables.ts";
import type { Captures } from "../match/hit.ts";
import {
  createMatcher,
  otherAgentReason,
  type Matcher,
  type MatchResult,
  type UnmatchedCause,
} from "../match/matcher.ts";
import { capturesOf } from "../match/rules/variables.ts";
import { runsOfTurns } from "../match/turns.ts";
import { faultOf } from "../model/fault.ts";
import type { AgentRun } from "../model/run.ts";
import type { QueryMatch, Unjudged } from "../model/verdict.ts";
import { faultyRun, type TraceFault, traceFault } from "./faults/faulty-run.ts";
import { Revisions } from "./revisions.ts";

export interface ClaimOptions {
  readonly specs: readonly CompiledSpec[];
  readonly reference?: (spec: CompiledSpec, query: CompiledQuery, run: AgentRun) => Reference | NoReference;
  /**
   * Queries to evaluate; if absent, all queries. Runs are always matched against all queries. Otherwise a wildcard query would match the
   * runs of the queries that are not selected.
   */
  readonly selected?: ReadonlySet<CompiledQuery>;
  /** Last published revision of each verdict. Without it, each verdict has revision 1. */
  readonly revisions?: Revisions;
  /** Returns today's date as `YYYY-MM-DD`, by which expired waivers are found. Without this function, waivers are ignored. */
  readonly today?: () => string;
}

const notAsked: NoReference = { missing: "not-asked", version: null };

/** A query that matches a run, with the data for the evaluation. */
export interface Claim {
  /** The run; if matching the run threw an exception, a placeholder. */
  readonly run: AgentRun;
  readonly spec: CompiledSpec;
  readonly query: CompiledQuery;
  readonly facts: Facts;
  /** The query, with its variables replaced by the values that the query's pattern captured from the run. */
  readonly filled: CompiledQuery;
  readonly match: QueryMatch;
  readonly verdictId: string;
  readonly revision: number;
  readonly reference: Reference | NoReference;
  /** For a query about a conversation: the run of each turn. */
  readonly turnRuns: { readonly turnRuns?: readonly (AgentRun | null)[] };
  /** Applies `expected_fail` and waivers to results; undefined if there are none. */
  readonly soften: Soften | undefined;
}

const noTurns: Claim["turnRuns"] = {};

export interface Claimed {
  readonly claims: Claim[];
  readonly unmatched: Unjudged[];
  readonly ambiguous: Unjudged[];
  readonly faults: TraceFault[];
}

/** Properties of a query that are the same for every run. */
interface Facts {
  /** Whether a judge model decides a check or the quality score of the query. */
  readonly asksJudges: boolean;
  readonly usesVariables: boolean;
}

const factsOf = derivedOnce((query: CompiledQuery): Facts => ({
  asksJudges: asksJudges(query),
  usesVariables: usesVariables(query),
}));

function asksJudges(query: CompiledQuery): boolean {
  if (query.scoring !== undefined && needsQuality(query.scoring)) return true;
  return [query, ...query.turns].some(({ checks }) => checks.some(({ check }) => check.judged === true));
}

/**
 * Returns a function that finds the queries which match a run, and numbers the revisions of their verdicts. If matching one spec throws an
 * exception, the other specs are not affected.
 */
export function createClaim(options: ClaimOptions): (run: AgentRun) => Claimed {
  const { specs } = options;
  const matcher = createMatcher(specs);
  const converse = judgesConversations(specs);
  const claimBy = createClaimBySpec(matcher, options);
  return (run) => {
    const claimed: Claimed = { claims: [], unmatched: [], ambiguous: [], faults: [] };
    const refused: Refusal[] = [];
    for (const spec of specs) {
      try {
        claimBy(run, spec, claimed, refused);
      } catch (error) {
        const stand = faultyRun(run, faultOf("match", error));
        claimed.faults.push(traceFault("match", error, stand));
        // Matching the run by its question threw an exception. Without its question, the run can still match a query `"*"` for its agent.
        claimBy({ ...stand, query: null }, spec, claimed, refused);
      }
    }
    if (refused.length === specs.length) {
      if (run.turns !== undefined && run.fault === undefined && claimed.faults.length === 0)
        claimed.unmatched.push(...run.turns.flatMap((turn) => unclaimed(turn, specs, matcher)));
      else if (!converse || claimed.faults.length > 0) claimed.unmatched.push(...reportOnce(run, refused));
    }
    return claimed;
  };
}

function createClaimBySpec(
  matcher: Matcher,
  { selected, reference = () => notAsked, revisions = new Revisions(), today }: ClaimOptions,
): (run: AgentRun, spec: CompiledSpec, claimed: Claimed, refused: Refusal[]) => void {
  return (run, spec, claimed, refused) => {
    const found = matcher.match(run, spec);
    if (found.kind === "unmatched") {
      const reason = run.fault === undefined ? found.reason : `${run.fault.message}; ${found.reason}`;
      refused.push({ spec, cause: found.cause, reason });
    } else if (found.kind === "ambiguous") {
      const reason = `several queries match the run by the same rule (${found.how}): change one of them, or add match.where`;
      const candidates = found.candidates.map(({ id }) => id);
      claimed.ambiguous.push({ run, spec: spec.name, reason, candidates });
    } else if (selected === undefined || selected.has(found.query)) {
      const { query, match } = found;
      const facts = factsOf(query);
      const asked =
        run.fault === undefined ? askedOf(run, found, facts) : { filled: query, turnRuns: noTurns };
      const id = keptVerdictId(run, spec, query, revisions);
      const soften = softeningOf(spec, query, today);
      const known = { reference: reference(spec, query, run), soften, ...asked };
      const revision = revisions.next(id);
      claimed.claims.push({ run, spec, query, facts, match, verdictId: id, revision, ...known });
    }
  };
}

/**
 * Returns the id of the run's verdict for a query. If late spans changed the run, another query of the spec may have judged it before. In
 * this case, returns the id of that earlier verdict. Verdicts of conversations do not count: a conversation has the id of its first run.
 */
function keptVerdictId(
  run: AgentRun,
  spec: CompiledSpec,
  query: CompiledQuery,
  revisions: Revisions,
): string {
  const id = verdictId(run, spec, query);
  if (run.replaces === undefined || revisions.last(id) > 0) return id;
  const alike = spec.queries.filter(({ scope }) => scope === query.scope);
  const ids = alike.map((other) => verdictId(run, spec, other));
  return ids.find((other) => revisions.last(other) > 0) ?? id;
}

function softeningOf(
  { waivers }: CompiledSpec,
  query: CompiledQuery,
  today: (() => string) | undefined,
): Soften | undefined {
  if (waivers.length === 0 && query.expectedFail === undefined) return undefined;
  return softening(query, waivers, today?.());
}

function askedOf(
  run: AgentRun,
  found: Extract<MatchResult, { kind: "matched" }>,
  { usesVariables: isFilled }: Facts,
): Pick<Claim, "filled" | "turnRuns"> {
  const { query } = found;
  const turns = run.turns === undefined ? undefined : runsOfTurns(query.turns, run.turns);
  const ofText = isFilled ? withVariables(query, captured(found, run)) : query;
  return {
    filled: turns === undefined ? ofText : withTurnVariables(ofText, turns.captures),
    turnRuns: turns === undefined ? noTurns : { turnRuns: turns.runs },
  };
}

/**
 * Whether a spec has queries about complete conversations. If so, a run without a query is not reported by itself; it is reported when its
 * conversation is matched.
 */
export function judgesConversations(specs: readonly CompiledSpec[]): boolean {
  return specs.some(({ queries }) => queries.some(({ scope }) => scope === "conversation"));
}

/**
 * Returns the run if no query of any spec matches it by itself; otherwise an empty list. Called for each run of a conversation that no
 * query matches.
 */
function unclaimed(run: AgentRun, specs: readonly CompiledSpec[], matcher: Matcher): readonly Unjudged[] {
  const refused: Refusal[] = [];
  for (const spec of specs) {
    const found = matcher.match(run, spec);
    if (found.kind !== "unmatched") return [];
    refused.push({ spec, cause: found.cause, reason: found.reason });
  }
  return reportOnce(run, refused);
}

function captured(found: Extract<MatchResult, { kind: "matched" }>, run: AgentRun): Captures {
  return found.captures.size > 0 ? found.captures : capturesOf(found.query, run.query);
}

interface Refusal {
  readonly spec: CompiledSpec;
  readonly cause: UnmatchedCause;
  readonly reason: string;
}

/** Reports a run without a query once, although each spec has a reason. The reason of a spec for the run's agent takes precedence. */
function reportOnce(run: AgentRun, refused: readonly Refusal[]): Unjudged[] {
  const nearest = refused.find(({ cause }) => cause !== "other-agent") ?? refused[0];
  if (nearest === undefined) return [];
  const { spec, reason, cause } = nearest;
  if (cause !== "other-agent") return [{ run, spec: spec.name, reason, candidates: [] }];
  const agents = refused.map((one) => one.spec.agent);
  return [
    { run, spec: spec.name, reason: otherAgentReason(run, agents), candidates: [], isOfOtherAgent: true },
  ];
}
