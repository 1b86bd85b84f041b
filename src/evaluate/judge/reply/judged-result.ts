import type { JsonValue } from "../../../model/json.ts";
import type { CheckResult, JudgeRecord } from "../../../model/verdict.ts";
import type { BoundCheck } from "../../query/compiled.ts";
import { failedWithoutAnswer, isPrevented } from "../../rules/failed-run.ts";
import { remedyFor } from "../../result/remedies.ts";
import type { JudgeInputKind } from "../prompt/limits.ts";
import type { JudgeErrorType, Unavailable } from "../ask/port.ts";
import type { EvaluationSession } from "../ask/session.ts";

/** Outcome of a judge check, before severity and waivers apply. */
export interface Judgement {
  readonly outcome: "pass" | "violated" | "skip" | "incomplete" | "error";
  readonly message: string;
  readonly metric?: string;
  readonly value?: JsonValue;
  readonly limit?: JsonValue;
  readonly remedy?: string;
  readonly missing?: readonly string[];
  readonly errorType?: JudgeErrorType;
  readonly judge?: JudgeRecord;
  /** True if a violation is only a warning, because the rubric is not audited yet (`blocking: only-if-audited`). */
  readonly soft?: boolean;
}

export function judgedResult(bound: BoundCheck, found: Judgement): CheckResult {
  return {
    check: bound.check.key,
    metric: found.metric ?? bound.check.metric,
    layer: bound.check.layer,
    outcome: found.outcome === "violated" ? violation(bound, found) : found.outcome,
    value: found.value ?? null,
    limit: found.limit ?? null,
    message: found.message,
    remedy: found.remedy ?? null,
    missing: found.missing ?? [],
    spanIds: [],
    source: bound.source,
    judge: found.judge ?? null,
    ...(found.errorType === undefined ? {} : { errorType: found.errorType }),
  };
}

function violation(bound: BoundCheck, found: Judgement): "fail" | "warn" {
  if (found.soft === true) return "warn";
  return bound.severity ?? bound.check.onViolation ?? (bound.check.layer === "correctness" ? "fail" : "warn");
}

const remedies: Partial<Record<JudgeErrorType, string>> = {
  timeout: "raise judge.timeout, or choose a faster judge model",
  rate_limited: "lower judge.concurrency or judge.requests_per_minute, or run again later",
  overloaded: "run again later",
  server_error: "run again later",
  unreachable: "check the judge's base_url and the network",
  unauthorized: "check the judge's key",
  not_found: "check the judge's model name and base_url",
  bad_request: "check the judge's model name and settings",
  refused: "choose another judge model, or reword the rubric",
  invalid_reply: "choose a judge model that follows instructions better, or one with structured output",
  budget: "raise judge.budget",
  cancelled: "run again",
};

/** Returns a judgement that is `incomplete`, because the judge did not see the whole conversation. */
export function unreadConversation(found: Judgement): Judgement {
  return {
    ...found,
    outcome: "incomplete",
    message: `${found.message}; but the judge did not see the whole conversation`,
    missing: ["conversation"],
    remedy: "raise judge.max_text",
  };
}

export function failedJudgement(errorType: JudgeErrorType, message: string, judge?: JudgeRecord): Judgement {
  return {
    outcome: "error",
    errorType,
    message,
    remedy: remedies[errorType] ?? "run again; report the error if it persists",
    ...(judge === undefined ? {} : { judge }),
  };
}

/** Returns the judgement when no judge of the panel can be called. */
export function unavailableJudgement(reasons: readonly Unavailable[]): Judgement {
  const remedy = [...new Set(reasons.map((it) => it.remedy))].join("; ");
  return {
    outcome: "incomplete",
    message: `not judged: ${[...new Set(reasons.map((it) => it.message))].join("; ")}`,
    remedy: `${remedy}; or run with --judge off`,
    missing: ["judge"],
  };
}

/**
 * Returns the judgement when the telemetry lacks an input of the judge: `skip` if the run failed and therefore has no answer, otherwise
 * `incomplete`. If the failure is only a warning (`isFailureAccepted`), always `incomplete`.
 */
export function unseenJudgement(
  inputs: readonly JudgeInputKind[],
  { run, isFailureAccepted = false }: Pick<EvaluationSession, "run" | "isFailureAccepted">,
): Judgement {
  const isExcused = !isFailureAccepted && isPrevented("answer", run);
  if (inputs.some((it) => withAnswer.has(it)) && run.answer === null && isExcused)
    return { outcome: "skip", message: `not judged: ${failedWithoutAnswer}` };
  const missing = inputs.map((it) => fieldOf[it]);
  return {
    outcome: "incomplete",
    message: `not judged: the telemetry lacks the ${inputs.join(", ")}`,
    remedy: remedyFor(missing[0] ?? "messages", run),
    missing,
  };
}

/** Inputs that have the run's answer. */
const withAnswer: ReadonlySet<JudgeInputKind> = new Set(["answer", "conversation", "turns"]);

/** Field of the run that is reported as missing, by input. */
const fieldOf: Record<JudgeInputKind, string> = {
  query: "query",
  answer: "answer",
  tools: "tool_results",
  retrievals: "retrievals",
  conversation: "messages",
  calls: "tool_arguments",
  documents: "retrievals",
  instructions: "instructions",
  steps: "messages",
  turns: "messages",
};
