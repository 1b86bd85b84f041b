import type { AgentRun } from "../../../model/run.ts";
import type { CheckResult } from "../../../model/verdict.ts";
import type { CompiledQuery } from "../../query/compiled.ts";
import { type AuditCase, auditRubric, type PassOrFail, type RubricAudit } from "./audit.ts";
import type { Judgement } from "../reply/judged-result.ts";
import { metricOfRubric, type Rubric, rubricHash } from "../prompt/rubric.ts";
import { judgeRubric } from "../checks/rubric-check.ts";
import { type EvaluationSession, type Judges, sessionOf, type SpecJudging } from "../ask/session.ts";
import { scoreBucket } from "../ask/sureness.ts";
import { panelOf } from "../settings.ts";
import { rubricsOf } from "../ask/stages.ts";

const FILLER = [
  "To put it differently, what is said above covers the matter as asked.",
  "It may help to keep the points above in mind when reading on.",
  "All of this has been set out with care, so that nothing is left unclear.",
  "In sum, the answer stands as given above.",
];

/** One recorded run with which judges are audited. */
export interface AuditItem {
  readonly id: string;
  readonly run: AgentRun;
  readonly query: CompiledQuery;
  readonly deterministic: readonly CheckResult[];
  readonly label: PassOrFail | null;
}

export interface AuditOptions {
  readonly items: readonly AuditItem[];
  /** Judges, preferably without a cache: cached replies would give the same label in each repeat. */
  readonly judges: Judges;
  readonly spec: SpecJudging;
  readonly repeats: number;
  /** True to judge each answer also in a longer form, and with its evidence in reverse order. */
  readonly probes: boolean;
  /** Model to audit instead of the spec's judges, such as the first model of a cascade. */
  readonly onlyModel?: string;
  readonly signal?: AbortSignal;
}

export interface AuditedRubric extends RubricAudit {
  /** `rubricHash` of the rubric. Results in `judge.audits` count only for a rubric with this hash. */
  readonly rubricHash: string;
  readonly probes: { readonly length: BiasProbe; readonly position: BiasProbe } | null;
}

/** A recorded run, and the rubric of its query, which can have a reference of its own. */
interface Question {
  readonly item: AuditItem;
  readonly rubric: Rubric;
}

/**
 * Judges each item several times by each rubric of its query, whatever the deterministic checks found. Rubrics with one id and one
 * `rubricHash` are audited together.
 */
export async function auditJudges(options: AuditOptions): Promise<readonly AuditedRubric[]> {
  const byRubric = new Map<string, Question[]>();
  for (const item of options.items)
    for (const written of rubricsOf(item.query, options.judges.rubrics)) {
      const rubric = options.onlyModel === undefined ? written : { ...written, model: options.onlyModel };
      const key = `${rubric.id} ${rubricHash(rubric)}`;
      byRubric.set(key, [...(byRubric.get(key) ?? []), { item, rubric }]);
    }
  const audits = [...byRubric.values()].flatMap((questions) => {
    const [first] = questions;
    return first === undefined ? [] : [auditOne(options, first.rubric, questions)];
  });
  return Promise.all(audits);
}

async function auditOne(
  options: AuditOptions,
  rubric: Rubric,
  questions: readonly Question[],
): Promise<AuditedRubric> {
  const cases = await Promise.all(questions.map((question) => caseOf(options, question)));
  const { models } = panelOf(options.spec.settings, options.judges.defaultModel, null);
  const audit = auditRubric(rubric.id, rubric.model ?? models.join(" + "), cases);
  return {
    ...audit,
    rubricHash: rubricHash(rubric),
    probes: options.probes ? await probe(options, questions) : null,
  };
}

async function caseOf(options: AuditOptions, { item, rubric }: Question): Promise<AuditCase> {
  const repeats = Array.from({ length: options.repeats }, (_, repeat) => repeat);
  const judgements = await Promise.all(
    repeats.map((repeat) => judgeRubric(sessionIn(options, item, repeat), rubric)),
  );
  const outcomes = judgements.map(outcomeOf);
  const answered = judgements.find((judgement) => outcomeOf(judgement) !== null);
  const isShare = metricOfRubric(rubric) !== undefined;
  const score = typeof answered?.value === "number" ? scoreBucket(answered.value, isShare) : null;
  return { id: item.id, outcomes, score, label: item.label, checks: truthOf(item.deterministic) };
}

/** Returns a session without a cascade: with a cascade, the audit would measure all its models together instead of each judge. */
function sessionIn(
  { judges, spec, signal }: AuditOptions,
  { run, query }: Pick<AuditItem, "run" | "query">,
  repeat = 0,
): EvaluationSession {
  return { ...sessionOf(run, judges, spec, signal, repeat, query), cascade: null };
}

function outcomeOf({ outcome }: Judgement): PassOrFail | null {
  if (outcome === "pass") return "pass";
  return outcome === "violated" ? "fail" : null;
}

/**
 * Returns the outcome of the deterministic correctness checks; null if no check decides. Ignores `run_status`, which does not depend on the
 * answer.
 */
function truthOf(results: readonly CheckResult[]): PassOrFail | null {
  const correctness = results.filter((it) => it.layer === "correctness" && it.check !== "run_status");
  if (correctness.some((it) => it.outcome === "fail")) return "fail";
  return correctness.some((it) => it.outcome === "pass") ? "pass" : null;
}

/**
 * Measures how two harmless changes shift the scores: empty sentences after the answer, and evidence in reverse order. A good judge's
 * scores do not shift.
 */
async function probe(
  options: AuditOptions,
  questions: readonly Question[],
): Promise<{ length: BiasProbe; position: BiasProbe }> {
  const score = async (run: AgentRun, query: CompiledQuery, asked: Rubric): Promise<number | null> => {
    const { judge } = await judgeRubric(sessionIn(options, { run, query }), asked);
    return judge?.score ?? null;
  };
  const scores = await Promise.all(
    questions.map(async ({ item: { run, query }, rubric }) => {
      const turned: Rubric = {
        ...rubric,
        inputs: [...rubric.inputs].reverse(),
        criteria: [...rubric.criteria].reverse(),
      };
      const longer = run.answer === null ? run : withAnswer(run, padded(run.answer));
      return Promise.all([
        score(run, query, rubric),
        score(longer, query, rubric),
        score(run, query, turned),
      ]);
    }),
  );
  return {
    length: biasOf(scores.flatMap(([original, changed]) => pairOf(original, changed))),
    position: biasOf(scores.flatMap(([original, , changed]) => pairOf(original, changed))),
  };
}

function pairOf(original: number | null, changed: number | null): readonly ProbePair[] {
  return original === null || changed === null ? [] : [{ original, changed }];
}

/** Returns the run with another answer, as a proxy, because a copy would read all lazy texts of the run. */
function withAnswer(run: AgentRun, answer: string): AgentRun {
  return new Proxy(run, {
    get: (target, name): unknown => (name === "answer" ? answer : Reflect.get(target, name, target)),
  });
}

/** Scores of one answer before and after a change that should not matter. */
interface ProbePair {
  readonly original: number;
  readonly changed: number;
}

interface BiasProbe {
  readonly pairs: number;
  /** Mean difference of changed and original score; null without pairs. */
  readonly meanShift: number | null;
  /** Share of pairs in which the changed score is higher; in `down`, lower. Null without pairs. */
  readonly up: number | null;
  readonly down: number | null;
  /** p-value of the two-sided sign test over pairs with different scores; null if no scores differ. */
  readonly p: number | null;
  /** True if the mean shift, up or down, is at least 0.5, or if p < 0.05. */
  readonly biased: boolean;
}

/** Returns how a change that should not matter shifts a judge's scores: the mean shift, and a sign test. */
export function biasOf(pairs: readonly ProbePair[]): BiasProbe {
  const shifts = pairs.map((it) => it.changed - it.original);
  const up = shifts.filter((it) => it > 0).length;
  const down = shifts.filter((it) => it < 0).length;
  const n = shifts.length;
  const meanShift = n === 0 ? null : shifts.reduce((sum, it) => sum + it, 0) / n;
  const p = signTest(up, down);
  return {
    pairs: n,
    meanShift,
    up: n === 0 ? null : up / n,
    down: n === 0 ? null : down / n,
    p,
    biased: (meanShift !== null && Math.abs(meanShift) >= 0.5) || (p !== null && p < 0.05),
  };
}

/** Returns the p-value of the exact two-sided binomial test with probability ½. Null if both numbers are 0. */
export function signTest(up: number, down: number): number | null {
  const n = up + down;
  if (n === 0) return null;
  let logTerm = -n * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= Math.min(up, down); k++) {
    tail += Math.exp(logTerm);
    logTerm += Math.log(n - k) - Math.log(k + 1);
  }
  return Math.min(1, 2 * tail);
}

/** Returns an answer of at least twice the length, by appending sentences without content. */
export function padded(answer: string): string {
  let text = answer;
  for (let i = 0; text.length < answer.length * 2 || i < FILLER.length; i++)
    text += ` ${FILLER[i % FILLER.length]}`;
  return text;
}
