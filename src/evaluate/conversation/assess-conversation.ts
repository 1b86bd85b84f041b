import { derivedOnce } from "../../support/structures/bounded-memo.ts";
import { checksOf } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { CheckResult } from "../../model/verdict.ts";
import type { CompiledQuery, CompiledTurn } from "../query/compiled.ts";
import { assess, type Assessment } from "../assess/assess.ts";
import type { NoReference, Reference } from "../checks/check.ts";
import { withoutCutValues } from "../rules/cut-values.ts";
import { withFurther } from "../result/layer-result.ts";
import type { Soften } from "../result/soften.ts";
import { remedyFor } from "../result/remedies.ts";
import { incompleteResult } from "../result/run-check.ts";
import { type JudgeSkipPolicy, withoutJudge } from "../judge/without-judge.ts";

/** Turns are evaluated without a reference, because a baseline describes a whole conversation. */
const noReference: NoReference = { missing: "not-asked", version: null };

/** Returns the result with the number of its turn, from 1. */
export function ofTurn(turn: number, result: CheckResult): CheckResult {
  return { ...result, turn, message: `turn ${turn}: ${result.message}` };
}

/** A turn with a run, and the results of its deterministic checks. */
export interface TurnAssessment {
  /** Number of the turn, from 1. */
  readonly turn: number;
  readonly run: AgentRun;
  /** The turn, in the form of a query. */
  readonly query: CompiledQuery;
  readonly assessment: Assessment;
}

export interface ConversationAssessment {
  /** Results of the whole conversation, including results of its turns. */
  readonly whole: Assessment;
  readonly turns: readonly TurnAssessment[];
}

/** What an evaluation of a run needs besides the query. */
export interface AssessOptions {
  readonly reference: Reference | NoReference;
  /** For a conversation: one run for each turn of the query, in order; null for a turn without a run. */
  readonly turnRuns?: readonly (AgentRun | null)[];
  /** Turns failures that `expected_fail` or a waiver allows into warnings, also failures of judge checks. */
  readonly soften?: Soften | undefined;
}

/** Evaluates all deterministic checks of a run or, with `turnRuns`, of a conversation and its turns. */
export function assessRun(
  run: AgentRun,
  query: CompiledQuery,
  { reference, turnRuns, soften }: AssessOptions,
): ConversationAssessment {
  return turnRuns !== undefined && query.turns.length > 0
    ? assessConversation(run, query, reference, turnRuns, soften)
    : { whole: assess(run, query, reference, soften), turns: [] };
}

/**
 * Evaluates all deterministic checks of a conversation: the query's checks on the whole conversation, and each turn's checks on its run.
 * The checks of a turn without a run are `incomplete`. The whole conversation is then an incomplete run.
 */
function assessConversation(
  conversation: AgentRun,
  query: CompiledQuery,
  reference: Reference | NoReference,
  turnRuns: readonly (AgentRun | null)[],
  soften?: Soften,
): ConversationAssessment {
  const whole = assess(withoutTurns(conversation, query.turns, turnRuns), query, reference, soften);
  const turns: TurnAssessment[] = [];
  const further: CheckResult[] = [];
  for (const [at, expected] of query.turns.entries()) {
    const run = turnRuns[at] ?? null;
    const found =
      run === null
        ? withoutTurn(expected, whole)
        : assessTurn(query, expected, { number: at + 1, run, conversation }, turns, soften);
    further.push(...found.map((result) => ofTurn(at + 1, result)));
  }
  return { whole: joined(whole, further, turns), turns };
}

/** Returns the conversation as an incomplete run if a turn has no run; otherwise the same object. */
function withoutTurns(
  conversation: AgentRun,
  turns: readonly CompiledTurn[],
  turnRuns: readonly (AgentRun | null)[],
): AgentRun {
  const absent = turns.flatMap((_, at) => (turnRuns[at] == null ? [at + 1] : []));
  if (absent.length === 0) return conversation;
  const why = `the conversation has no turn ${absent.join(", ")}`;
  return {
    ...conversation,
    complete: false,
    missing: [...conversation.missing, { what: "expected_turns", why }],
  };
}

/** The run of a turn, and its number from 1 in the query. */
interface Turn {
  readonly number: number;
  readonly run: AgentRun;
  readonly conversation: AgentRun;
}

function assessTurn(
  query: CompiledQuery,
  expected: CompiledTurn,
  { number: turn, run: answering, conversation }: Turn,
  turns: TurnAssessment[],
  soften: Soften | undefined,
): readonly CheckResult[] {
  const run = withoutCutValues(answering);
  const asQuery = asQueriesOf(query)(expected);
  const all = conversation.turns ?? [];
  const earlier = all.slice(0, Math.max(0, all.indexOf(answering))).map(withoutCutValues);
  const assessment = assess(run, asQuery, noReference, soften, earlier);
  turns.push({ turn, run, query: asQuery, assessment });
  return checksOf(assessment);
}

/** Returns a turn in the form of a query: always the same object, because derived data is cached by query object. */
const asQueriesOf = derivedOnce((query: CompiledQuery) =>
  derivedOnce((turn: CompiledTurn): CompiledQuery => ({ ...query, ...turn, turns: [] })),
);

function withoutTurn({ text, checks }: CompiledTurn, { run }: Assessment): readonly CheckResult[] {
  const message = `this conversation has no turn ${JSON.stringify(text)}`;
  const found = { message, missing: ["turns"], remedy: remedyFor("expected_turns", run) };
  return checks.map((bound) => incompleteResult(bound, found));
}

function joined(
  whole: Assessment,
  further: readonly CheckResult[],
  turns: readonly TurnAssessment[],
): Assessment {
  return {
    ...whole,
    layers: withFurther(whole.layers, further),
    failed: whole.failed || turns.some(({ assessment }) => assessment.failed),
    hard: whole.hard || turns.some(({ assessment }) => assessment.hard),
  };
}

/** Returns the results of the turns' judge checks when no judge is called. */
export function turnsWithoutJudge(
  turns: readonly TurnAssessment[],
  { failed }: Assessment,
  judgeSkipPolicy: JudgeSkipPolicy,
): readonly CheckResult[] {
  return turns.flatMap(({ turn, assessment }) =>
    withoutJudge({ ...assessment, failed }, judgeSkipPolicy).map((result) => ofTurn(turn, result)),
  );
}
