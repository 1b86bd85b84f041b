import { judgesAreOff } from "../../../model/not-judged.ts";
import { acceptsFailure } from "../../rules/failed-run.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { CheckResult } from "../../../model/verdict.ts";
import type { BoundCheck, CompiledQuery } from "../../query/compiled.ts";
import { type Soften, softened } from "../../result/soften.ts";
import { remedyFor } from "../../result/remedies.ts";
import { unfinishedPart } from "../../result/run-check.ts";
import { judgeGoal } from "../checks/goal.ts";
import { failedJudgement, judgedResult, type Judgement } from "../reply/judged-result.ts";
import type { GoalAccuracyLimit, RubricLimit, TopicAdherenceLimit } from "../prompt/limits.ts";
import { metricOf, resolveRubric, type Rubric, type RubricLibrary } from "../prompt/rubric.ts";
import { judgeBlocks, judgeRubric } from "../checks/rubric-check.ts";
import { type EvaluationSession, type Judges, sessionOf, type SpecJudging } from "./session.ts";
import { judgeTopics } from "../checks/topics.ts";
import {
  assertedSteps,
  fieldAt,
  isPartlyUnknown,
  type Step,
  textOf,
  wholeText,
} from "../../checks/blocks/span-fields.ts";
import { count } from "../../rules/text.ts";
import type { Block } from "../prompt/prompt.ts";

/** Maximum number of judged steps, because each step needs a question to the judge, and a looping run can have thousands of steps. */
const MOST_STEPS = 8;

const order = ["violated", "error", "incomplete", "pass", "skip"] as const;

export interface JudgeQueryOptions {
  readonly run: AgentRun;
  readonly query: CompiledQuery;
  /** Results of the checks that ran before the judges. */
  readonly deterministic: readonly CheckResult[];
  /** Judges; with "off", judge checks are skipped. */
  readonly judges: Judges | "off";
  readonly spec: SpecJudging;
  /** Turns failures that `expected_fail` or a waiver allows into warnings, before it is decided whether later stages run. */
  readonly soften?: Soften | undefined;
  readonly signal?: AbortSignal;
}

/** One judge check, or one rubric of a judge check. */
interface Task {
  readonly bound: BoundCheck;
  /** Metric of the rubric, if it differs from the metric of the check. */
  readonly metric?: string;
  readonly judge: (session: EvaluationSession) => Promise<Judgement>;
}

/**
 * Stage of each judge check: rubrics, then safety, then hallucination. Checks of a stage run in parallel. A stage is skipped if a check
 * failed before.
 */
const stageOf: Readonly<Record<string, number>> = {
  llm_judge: 0,
  refutes_premise: 0,
  goal_accuracy: 0,
  topic_adherence: 0,
  spans: 0,
  safety_check: 1,
  hallucination_check: 2,
};
const LAST_STAGE = 2;

/**
 * Runs the judge checks of a query in stages. Each rubric has one result. A failed check skips the later stages. If a judge fails, the
 * outcome is `error`; the promise does not reject.
 */
export async function judgeQuery(options: JudgeQueryOptions): Promise<CheckResult[]> {
  const { run, query, judges } = options;
  const judged = query.checks.filter((bound) => bound.check.judged === true);
  if (judged.length === 0) return [];
  const library = judges === "off" ? undefined : judges.rubrics;
  const tasks = judged.flatMap((bound) => tasksOf(bound, library));
  if (judges === "off") return tasks.map((task) => skipped(task, judgesAreOff));
  const failed = gate(options.deterministic);
  if (failed !== null) return tasks.map((task) => skipped(task, failed));
  if (!run.complete) return tasks.map((task) => resultOf(task, unfinished(run)));
  const session = sessionOf(run, judges, options.spec, options.signal, 0, query);
  const isFailureAccepted = acceptsFailure(run, options.deterministic);
  return runStages(tasks, options.deterministic, options.soften, { ...session, isFailureAccepted });
}

async function runStages(
  tasks: readonly Task[],
  before: readonly CheckResult[],
  soften: Soften | undefined,
  session: EvaluationSession,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (let stage = 0; stage <= LAST_STAGE; stage++) {
    const due = tasks.filter((task) => (stageOf[task.bound.check.key] ?? 0) === stage);
    const reason = gate([...before, ...results]);
    const found = await Promise.all(due.map((task) => toCheckResult(task, session, reason)));
    results.push(...softened(found, soften));
  }
  return results;
}

function gate(results: readonly CheckResult[]): string | null {
  const failures = results.filter((it) => it.outcome === "fail").map((it) => it.check);
  return failures.length === 0
    ? null
    : `not judged: ${[...new Set(failures)].join(", ")} failed in an earlier stage`;
}

async function toCheckResult(
  task: Task,
  session: EvaluationSession,
  reason: string | null,
): Promise<CheckResult> {
  if (reason !== null) return skipped(task, reason);
  try {
    return resultOf(task, await task.judge(session));
  } catch {
    return resultOf(task, failedJudgement("internal", `${task.bound.check.key} could not be judged`));
  }
}

function skipped(task: Task, message: string): CheckResult {
  return resultOf(task, { outcome: "skip", message });
}

function resultOf({ bound, metric }: Task, found: Judgement): CheckResult {
  return judgedResult(bound, metric === undefined ? found : { metric, ...found });
}

/** Returns the judgement of an incomplete run. No judge is called, because later spans can change the answer. */
function unfinished(run: AgentRun): Judgement {
  const { field, why } = unfinishedPart(run);
  return {
    outcome: "incomplete",
    message: `not judged: ${why}`,
    remedy: remedyFor(field, run),
    missing: [field],
  };
}

/** Returns the rubrics of a query's judge checks, in order, without rubrics whose template is unknown. */
export function rubricsOf(query: CompiledQuery, library: RubricLibrary): readonly Rubric[] {
  return query.checks
    .filter((bound) => bound.check.judged === true)
    .flatMap((bound) => rubricLimits(bound))
    .flatMap(({ limit, builtIn }) => {
      const resolved = resolveRubric(limit, library, builtIn);
      return "rubric" in resolved ? [resolved.rubric] : [];
    });
}

interface WrittenRubric {
  readonly limit: RubricLimit | boolean;
  /** Built-in template of a key such as `safety_check`; undefined for keys without one. */
  readonly builtIn: string | undefined;
}

function rubricLimits({ check, limit }: BoundCheck): readonly WrittenRubric[] {
  if (check.key === "llm_judge")
    return (limit as readonly RubricLimit[]).map((it) => ({ limit: it, builtIn: undefined }));
  const builtIn = builtInRubric[check.key];
  return builtIn === undefined || limit === false ? [] : [{ limit: limit as RubricLimit | true, builtIn }];
}

const builtInRubric: Readonly<Record<string, string>> = {
  refutes_premise: "refutes_premise",
  safety_check: "safety",
  hallucination_check: "hallucination",
};

/** Returns the tasks of a judge check. The casts are safe, because the check's value in the spec (`limit`) is already validated. */
function tasksOf(bound: BoundCheck, library: RubricLibrary | undefined): readonly Task[] {
  const { limit, check } = bound;
  if (check.key === "goal_accuracy")
    return [{ bound, judge: (session) => judgeGoal(session, limit as GoalAccuracyLimit) }];
  if (check.key === "spans")
    return [{ bound, judge: (session) => judgeSteps(session, limit as CompiledQuery["spans"][number]) }];
  if (check.key === "topic_adherence")
    return [{ bound, judge: (session) => judgeTopics(session, limit as TopicAdherenceLimit) }];
  if (stageOf[check.key] === undefined)
    return [
      { bound, judge: () => Promise.resolve(failedJudgement("internal", "this key is not a judge check")) },
    ];
  const rubrics = rubricLimits(bound);
  if (rubrics.length === 0 && limit !== false)
    return [{ bound, judge: () => Promise.resolve({ outcome: "skip", message: "the spec asks no judge" }) }];
  return rubrics.map((it, i) => rubricTask(item(bound, i), it, library));
}

/** Returns the check with the source position of one list item. */
function item(bound: BoundCheck, index: number): BoundCheck {
  return { ...bound, source: bound.itemSources[index] ?? bound.source };
}

function rubricTask(
  bound: BoundCheck,
  { limit, builtIn }: WrittenRubric,
  library: RubricLibrary | undefined,
): Task {
  const metric = metricOf(limit, library, builtIn);
  return {
    bound,
    ...(metric === undefined ? {} : { metric }),
    judge: async (session) => {
      const resolved = resolveRubric(limit, session.judges.rubrics, builtIn);
      if ("rubric" in resolved) return judgeRubric(session, resolved.rubric);
      return {
        ...failedJudgement("internal", resolved.problem),
        remedy: "correct the rubric's name in the spec",
      };
    },
  };
}

type SpanAssertion = CompiledQuery["spans"][number];

/**
 * Judges the rubric in AgentCI's `judge` of a span assertion. Each step of the kind and name is judged separately, with the query as
 * context; all steps must pass. Only the first `MOST_STEPS` steps are judged; with more steps, a pass becomes `incomplete`. The check is
 * `incomplete` if the asserted field was not captured. The check is skipped if the run has no step of the kind and name, because the
 * assertion itself reports missing steps.
 */
async function judgeSteps(session: EvaluationSession, assertion: SpanAssertion): Promise<Judgement> {
  const resolved = resolveRubric(assertion.judge ?? "", session.judges.rubrics);
  if ("problem" in resolved) return failedJudgement("internal", resolved.problem);
  const steps = assertedSteps(assertion, session.preset)(session.run);
  if (steps.length === 0)
    return { outcome: "skip", message: "the run has no step of this kind and name to judge" };
  const found = await Promise.all(
    steps.slice(0, MOST_STEPS).map((step) => judgeStep(session, resolved.rubric, assertion, step)),
  );
  const worst = found.reduce((one, other) => (rank(other) < rank(one) ? other : one));
  const at = found.indexOf(worst);
  const message = `step ${at + 1} of ${steps.length}: ${worst.message}`;
  if (worst.outcome !== "pass" || steps.length <= MOST_STEPS) return { ...worst, message };
  return {
    ...worst,
    outcome: "incomplete",
    message: `${message}; ${count(steps.length - MOST_STEPS, "further step")} not judged`,
    missing: ["judge"],
    remedy: "Narrow the assertion down with `name`, or ask about the whole run in llm_judge.",
  };
}

async function judgeStep(
  session: EvaluationSession,
  rubric: Rubric,
  { field }: SpanAssertion,
  step: Step,
): Promise<Judgement> {
  const known = field === undefined ? wholeText(step) : fieldAt(step, field);
  const value = known === undefined || isPartlyUnknown(step, known, field) ? undefined : known;
  if (value === null && step.fields["error"] != null && field?.split(".")[0] === "result")
    return { outcome: "skip", message: "not judged: the tool call failed, so it has no result" };
  if (value !== undefined) {
    return judgeBlocks(
      session,
      rubric,
      [...queryOf(session.run), { name: "ANSWER", text: textOf(value) }],
      [],
    );
  }
  const missing = (field ?? "").startsWith("arguments") ? "tool_arguments" : "tool_results";
  return {
    outcome: "incomplete",
    message: `${field ?? "the content of the step"} was not captured`,
    missing: [missing],
    remedy: remedyFor(missing, session.run),
  };
}

function queryOf({ query }: AgentRun): readonly Block[] {
  return query === null ? [] : [{ name: "QUERY", text: query }];
}

function rank({ outcome }: Judgement): number {
  return order.indexOf(outcome);
}
