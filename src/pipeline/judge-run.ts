import { derivedOnce } from "../support/structures/bounded-memo.ts";
import type { NoReference, Reference } from "../evaluate/checks/check.ts";
import { evaluateQuery, type Evaluation } from "../evaluate/evaluate.ts";
import { evaluateWithJudges } from "../evaluate/evaluate-with-judges.ts";
import { judgeProvenance } from "../evaluate/judge/ask/provenance.ts";
import type { Judges, SpecJudging } from "../evaluate/judge/ask/session.ts";
import { needsQuality } from "../evaluate/quantities/score.ts";
import type { UserCheckPort } from "../evaluate/checks/user/user-check-port.ts";
import { expectFailure } from "../evaluate/result/expect-failure.ts";
import type { JudgeSkipPolicy } from "../evaluate/judge/without-judge.ts";
import { type Soften, softening } from "../evaluate/result/soften.ts";
import { toVerdict, verdictId } from "../evaluate/result/verdict.ts";
import { usesVariables, withTurnVariables, withVariables } from "../evaluate/rules/variables.ts";
import type { Captures } from "../match/hit.ts";
import { capturesOf } from "../match/rules/variables.ts";
import { createMatcher, type Matcher, type MatchResult, type UnmatchedCause } from "../match/matcher.ts";
import { runsOfTurns } from "../match/turns.ts";
import type { AgentRun } from "../model/run.ts";
import type { QueryMatch, Unjudged, Verdict } from "../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../evaluate/query/compiled.ts";
import { Revisions } from "./revisions.ts";

/** What became of one run: a verdict for each spec whose query it matched, a note where several queries of a spec or no spec at all claim it. */
export interface JudgedRun {
  readonly run: AgentRun;
  readonly verdicts: Verdict[];
  /** The queries of the verdicts, in the same order. */
  readonly matched: CompiledQuery[];
  readonly unmatched: Unjudged[];
  readonly ambiguous: Unjudged[];
  /** A query claims it, but it is not among the share of runs that are evaluated. */
  readonly isSampledOut?: boolean;
}

export interface JudgeRunOptions {
  readonly specs: readonly CompiledSpec[];
  readonly judgeSkipPolicy: JudgeSkipPolicy;
  /** Runs the checks of the project's own, where they may be waited for; they are skipped when absent. */
  readonly userChecks?: UserCheckPort | undefined;
  /** The engine's version, for the verdicts' provenance. */
  readonly engine: string;
  readonly reference?: (spec: CompiledSpec, query: CompiledQuery, run: AgentRun) => Reference | NoReference;
  /** Queries to judge, all when absent. Runs are matched against every query: were some left out, a wildcard would claim their runs. */
  readonly selected?: ReadonlySet<CompiledQuery>;
  /** Today as `YYYY-MM-DD`, by which waivers hold or have expired; they are not looked at when absent. */
  readonly today?: () => string;
  /** What was given before; by default nothing was. */
  readonly revisions?: Revisions;
}

/** Language models that may be asked. */
export interface Asking {
  readonly judges: Judges;
  /** What a spec adds to judging. */
  readonly judgingOf: (spec: CompiledSpec) => SpecJudging;
  readonly signal?: AbortSignal;
}

function softeningOf(
  { waivers }: CompiledSpec,
  query: CompiledQuery,
  today: (() => string) | undefined,
): Soften | undefined {
  if (waivers.length === 0 && query.expectedFail === undefined) return undefined;
  return softening(query, waivers, today?.());
}

const notAsked: NoReference = { missing: "not-asked", version: null };

interface Claim {
  readonly spec: CompiledSpec;
  readonly query: CompiledQuery;
  readonly facts: Facts;
  /** With what the query's pattern captured from the run filled in. */
  readonly filled: CompiledQuery;
  readonly match: QueryMatch;
  readonly verdictId: string;
  readonly revision: number;
  readonly reference: Reference | NoReference;
  /** Of a conversation: the run of each turn. */
  readonly turnRuns: { readonly turnRuns?: readonly (AgentRun | null)[] };
  readonly soften: Soften | undefined;
}

const noTurns: Claim["turnRuns"] = {};

interface Claimed {
  readonly claims: Claim[];
  readonly unmatched: Unjudged[];
  readonly ambiguous: Unjudged[];
}

/** run, or conversation, → verdicts, each spec by itself. Asks no model. */
export function createJudgeRun(options: JudgeRunOptions): (run: AgentRun) => JudgedRun {
  const claim = createClaim(options);
  return (run) => judgeAlone(run, claim(run), options);
}

/** A run whose judges have yet to be asked. */
export interface Pending {
  /** Never rejects for a fault of a judge. */
  readonly ask: () => Promise<JudgedRun>;
  /** Without asking a judge, as `judgeSkipPolicy` says. */
  readonly giveUp: (judgeSkipPolicy: JudgeSkipPolicy) => JudgedRun;
}

/** The same where models may be asked: a run whose queries ask none is judged at once, any other is ready to be asked about. */
export function createAskingJudge(
  options: JudgeRunOptions,
  asking: Asking | undefined,
): (run: AgentRun) => JudgedRun | Pending {
  const claim = createClaim(options);
  const { judgeSkipPolicy, userChecks } = options;
  const judgings = new WeakMap<CompiledSpec, SpecJudging>();
  const judgingOf = (spec: CompiledSpec, make: Asking["judgingOf"]): SpecJudging => {
    const judging = judgings.get(spec) ?? make(spec);
    judgings.set(spec, judging);
    return judging;
  };
  return (run) => {
    const claimed = claim(run);
    const asks = claimed.claims.some(
      ({ query, facts }) =>
        (asking !== undefined && facts.asksJudges) || (userChecks !== undefined && asksUserChecks(query)),
    );
    if (!asks) return judgeAlone(run, claimed, options);
    const signal = asking?.signal;
    const evaluate = ({ spec, filled, reference, turnRuns, soften }: Claim): Promise<Evaluation> =>
      evaluateWithJudges(run, filled, {
        reference,
        ...turnRuns,
        soften,
        judges: asking?.judges,
        judgeSkipPolicy,
        userChecks,
        spec: asking === undefined ? unjudged : judgingOf(spec, asking.judgingOf),
        compiled: spec,
        ...(signal === undefined ? {} : { signal }),
      });
    return {
      ask: async () => judgedRun(run, claimed, await Promise.all(claimed.claims.map(evaluate)), options),
      giveUp: (judgeSkipPolicy) => judgeAlone(run, claimed, { ...options, judgeSkipPolicy }),
    };
  };
}

const unjudged: SpecJudging = { settings: {}, contextFile: () => undefined };

function asksUserChecks({ checks }: CompiledQuery): boolean {
  return checks.some(({ check }) => check.user !== undefined);
}

/** What is asked of a query for every run: found out once, and found in one place. */
interface Facts {
  /** Any of it is for a judge to decide. */
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

function judgeAlone(
  run: AgentRun,
  claimed: Claimed,
  options: Pick<JudgeRunOptions, "judgeSkipPolicy" | "engine">,
): JudgedRun {
  const evaluations = claimed.claims.map(({ filled, reference, turnRuns, soften }) =>
    evaluateQuery(run, filled, { reference, ...turnRuns, soften, ...options.judgeSkipPolicy }),
  );
  return judgedRun(run, claimed, evaluations, options);
}

function judgedRun(
  run: AgentRun,
  { claims, unmatched, ambiguous }: Claimed,
  evaluations: readonly Evaluation[],
  { engine }: Pick<JudgeRunOptions, "engine">,
): JudgedRun {
  const verdicts = claims.map((claim, at) => {
    const { spec, query, match, revision, verdictId, facts } = claim;
    const evaluation = expectFailure(evaluations[at] as Evaluation, query);
    const judge = facts.asksJudges ? judgesOf(evaluation) : nobody;
    return toVerdict({ verdictId, run, spec, query, match, evaluation, revision, engine, judge });
  });
  return { run, verdicts, matched: claims.map(({ query }) => query), unmatched, ambiguous };
}

const nobody: readonly string[] = [];

function judgesOf({ layers }: Evaluation): readonly string[] {
  return judgeProvenance([...layers.correctness.checks, ...layers.path.checks]);
}

/** Finds the queries that a run answers, and numbers its revision. */
function createClaim(options: JudgeRunOptions): (run: AgentRun) => Claimed {
  const { specs, selected, reference = () => notAsked, revisions = new Revisions() } = options;
  const matcher = createMatcher(specs);
  const converse = judgesConversations(specs);
  return (run) => {
    const claimed: Claimed = { claims: [], unmatched: [], ambiguous: [] };
    const refused: Refusal[] = [];
    for (const spec of specs) {
      const found = matcher.match(run, spec);
      if (found.kind === "unmatched") {
        refused.push({ spec, cause: found.cause, reason: found.reason });
      } else if (found.kind === "ambiguous") {
        const reason = `several queries claim it, all by ${found.how} match`;
        const candidates = found.candidates.map(({ id }) => id);
        claimed.ambiguous.push({ run, spec: spec.name, reason, candidates });
      } else if (selected === undefined || selected.has(found.query)) {
        const { query, match } = found;
        const facts = factsOf(query);
        const turns = run.turns === undefined ? undefined : runsOfTurns(query.turns, run.turns);
        const ofText = facts.usesVariables ? withVariables(query, captured(found, run)) : query;
        const filled = turns === undefined ? ofText : withTurnVariables(ofText, turns.captures);
        const id = verdictId(run, spec, query);
        const turnRuns = turns === undefined ? noTurns : { turnRuns: turns.runs };
        claimed.claims.push({
          spec,
          query,
          facts,
          filled,
          match,
          verdictId: id,
          revision: revisions.next(id),
          reference: reference(spec, query, run),
          turnRuns,
          soften: softeningOf(spec, query, options.today),
        });
      }
    }
    if (refused.length === specs.length) {
      if (run.turns !== undefined)
        claimed.unmatched.push(...run.turns.flatMap((turn) => unclaimed(turn, specs, matcher)));
      else if (!converse) claimed.unmatched.push(...reportOnce(run, refused));
    }
    return claimed;
  };
}

/** Whether any spec has queries about whole conversations. What no query claims is then reported with its conversation. */
export function judgesConversations(specs: readonly CompiledSpec[]): boolean {
  return specs.some(({ queries }) => queries.some(({ scope }) => scope === "conversation"));
}

/** A run of a conversation that no query is about is unmatched, unless a query claims it by itself. */
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

/** A run that no spec claims is reported once, with the reason of a spec about its agent if there is one. */
function reportOnce(run: AgentRun, refused: readonly Refusal[]): Unjudged[] {
  const nearest = refused.find(({ cause }) => cause !== "other-agent") ?? refused[0];
  return nearest ? [{ run, spec: nearest.spec.name, reason: nearest.reason, candidates: [] }] : [];
}
