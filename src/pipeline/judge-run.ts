import { evaluateQuery, type Evaluation } from "../evaluate/evaluate.ts";
import { evaluateWithJudges } from "../evaluate/evaluate-with-judges.ts";
import { judgeProvenance } from "../evaluate/judge/ask/provenance.ts";
import type { Judges, SpecJudging } from "../evaluate/judge/ask/session.ts";
import type { JudgeSkipPolicy } from "../evaluate/judge/without-judge.ts";
import type { UserCheckPort } from "../evaluate/checks/user/user-check-port.ts";
import type { CompiledQuery, CompiledSpec } from "../evaluate/query/compiled.ts";
import { errorEvaluation } from "../evaluate/result/error-evaluation.ts";
import { playedBack } from "../evaluate/result/played-back.ts";
import { expectFailure } from "../evaluate/result/expect-failure.ts";
import { toVerdict } from "../evaluate/result/verdict.ts";
import type { Fault } from "../model/fault.ts";
import type { AgentRun } from "../model/run.ts";
import type { Unjudged, Verdict } from "../model/verdict.ts";
import { type Claim, type Claimed, type ClaimOptions, createClaim } from "./claim.ts";
import { faultyRun, runFault, type TraceFault } from "./faults/faulty-run.ts";

/** Result for one run: a verdict for each matching spec; if there is none, the reason (no query or several queries matched). */
export interface JudgedRun {
  readonly run: AgentRun;
  readonly verdicts: Verdict[];
  /** Queries of the verdicts, in the same order. */
  readonly matched: CompiledQuery[];
  readonly unmatched: Unjudged[];
  readonly ambiguous: Unjudged[];
  /** Whether sampling excluded the run, although a query matches it. */
  readonly isSampledOut?: boolean;
  /** Exceptions during matching and evaluation. Each affected verdict has the outcome `error`. */
  readonly faults?: readonly TraceFault[];
}

export interface JudgeRunOptions extends ClaimOptions {
  readonly judgeSkipPolicy: JudgeSkipPolicy;
  /** Runs the project's own checks, asynchronously. Without it, these checks are skipped. */
  readonly userChecks?: UserCheckPort | undefined;
  /** Version of Tracejury, for the provenance of verdicts. */
  readonly engine: string;
}

/** The judge models that may be called. */
export interface Asking {
  readonly judges: Judges;
  readonly judgingOf: (spec: CompiledSpec) => SpecJudging;
  readonly signal?: AbortSignal;
}

/**
 * Returns a function that judges a run or conversation, without calling judge models. Each spec is judged separately: an exception becomes
 * an error of the verdict that it affects.
 */
export function createJudgeRun(options: JudgeRunOptions): (run: AgentRun) => JudgedRun {
  const claim = createClaim(options);
  return (run) => judgeAlone(run, claim(run), options);
}

/** A run whose judge models were not called yet. */
export interface Pending {
  /** Calls the judge models, and resolves to the verdicts. An error of a judge model does not reject the promise. */
  readonly ask: () => Promise<JudgedRun>;
  /**
   * Returns the verdicts without calling judge models.
   * @param judgeSkipPolicy the reason why the checks with judge models are skipped
   */
  readonly giveUp: (judgeSkipPolicy: JudgeSkipPolicy) => JudgedRun;
}

/**
 * Like `createJudgeRun`, but with judge models and the project's own checks. If a run needs neither, or is an incomplete playback, the
 * function returns the result at once. For any other run, it returns a `Pending`, whose `ask` calls the models.
 */
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
    // The verdict of an incomplete playback is undecided in any case, so judge models are not called.
    if (!asks || run.playback?.effect === "incomplete") return judgeAlone(run, claimed, options);
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
      ask: async () => {
        const evaluated = claimed.claims.map((claim) => containedLater(claim, () => evaluate(claim)));
        return judgedRun(run, claimed, await Promise.all(evaluated), options);
      },
      giveUp: (judgeSkipPolicy) => judgeAlone(run, claimed, { ...options, judgeSkipPolicy }),
    };
  };
}

const unjudged: SpecJudging = { settings: {}, contextFile: () => undefined };

function asksUserChecks({ checks }: CompiledQuery): boolean {
  return checks.some(({ check }) => check.user !== undefined);
}

function judgeAlone(
  run: AgentRun,
  claimed: Claimed,
  options: Pick<JudgeRunOptions, "judgeSkipPolicy" | "engine">,
): JudgedRun {
  const evaluated = claimed.claims.map((claim) =>
    contained(claim, ({ filled, reference, turnRuns, soften }) =>
      evaluateQuery(run, filled, { reference, ...turnRuns, soften, ...options.judgeSkipPolicy }),
    ),
  );
  return judgedRun(run, claimed, evaluated, options);
}

type Evaluated = Evaluation | TraceFault;

function contained(claim: Claim, evaluate: (claim: Claim) => Evaluation): Evaluated {
  try {
    return claim.run.fault === undefined ? evaluate(claim) : errorEvaluation(claim.query, claim.run.fault);
  } catch (error) {
    return runFault("judge", error, claim.run);
  }
}

async function containedLater(claim: Claim, evaluate: () => Promise<Evaluation>): Promise<Evaluated> {
  if (claim.run.fault !== undefined) return errorEvaluation(claim.query, claim.run.fault);
  try {
    return await evaluate();
  } catch (error) {
    return runFault("judge", error, claim.run);
  }
}

function judgedRun(
  run: AgentRun,
  { claims, unmatched, ambiguous, faults }: Claimed,
  evaluated: readonly Evaluated[],
  options: VerdictOptions,
): JudgedRun {
  const thrown = [...faults];
  const verdicts = claims.map((claim, at) => {
    const made = verdictOrFault(claim, evaluated[at] as Evaluated, options);
    if (!("stage" in made)) return made;
    thrown.push(made);
    return errorOf(claim, made, options);
  });
  const matched = claims.map(({ query }) => query);
  return { run, verdicts, matched, unmatched, ambiguous, ...(thrown.length === 0 ? {} : { faults: thrown }) };
}

type VerdictOptions = Pick<JudgeRunOptions, "engine">;

function verdictOrFault(claim: Claim, found: Evaluated, options: VerdictOptions): Verdict | TraceFault {
  if ("stage" in found) return found;
  try {
    return verdictOf(claim, found, options);
  } catch (error) {
    return runFault("judge", error, claim.run);
  }
}

function errorOf(claim: Claim, { stage, message }: Fault, { engine }: VerdictOptions): Verdict {
  const fault = { stage, message };
  const run = faultyRun(claim.run, fault);
  return toVerdict({ ...claim, run, evaluation: errorEvaluation(claim.query, fault), engine });
}

function verdictOf(
  { run, spec, query, match, revision, verdictId, facts }: Claim,
  found: Evaluation,
  { engine }: VerdictOptions,
): Verdict {
  const evaluation = expectFailure(playedBack(found, query, run), query);
  const judge = facts.asksJudges ? judgesOf(evaluation) : nobody;
  return toVerdict({ verdictId, run, spec, query, match, evaluation, revision, engine, judge });
}

const nobody: readonly string[] = [];

function judgesOf({ layers }: Evaluation): readonly string[] {
  return judgeProvenance([...layers.correctness.checks, ...layers.path.checks]);
}
