import type { AgentRun } from "../../../model/run.ts";
import type { CompiledQuery } from "../../query/compiled.ts";
import { assertedSteps, fieldAt, type Step, textOf, wholeText } from "../../checks/blocks/span-fields.ts";
import { remedyFor } from "../../result/remedies.ts";
import { count } from "../../rules/text.ts";
import type { Block } from "../prompt/fence.ts";
import { failedJudgement, type Judgement } from "../reply/judged-result.ts";
import { resolveRubric, type Rubric } from "../prompt/rubric.ts";
import { judgeBlocks } from "./rubric-check.ts";
import type { EvaluationSession } from "../ask/session.ts";

type SpanAssertion = CompiledQuery["spans"][number];

/** Maximum number of judged steps, because each step needs a question to the judge, and a looping run can have thousands of steps. */
const MOST_STEPS = 8;

/**
 * Judges the rubric in AgentCI's `judge` of a span assertion. Each step of the kind and name is judged separately, with the query as
 * context; all steps must pass. The check is `incomplete` if the asserted field was not captured. The check is skipped if the run has no
 * step of the kind and name, because the assertion itself reports missing steps.
 */
export async function judgeSteps(session: EvaluationSession, assertion: SpanAssertion): Promise<Judgement> {
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
  const value = field === undefined ? wholeText(step) : fieldAt(step, field);
  if (value === null && step.fields["error"] != null && field?.split(".")[0] === "result")
    return { outcome: "skip", message: "the call failed and has no result" };
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
    message: `${field ?? "the step"} was not captured`,
    missing: [missing],
    remedy: remedyFor(missing, session.run),
  };
}

function queryOf({ query }: AgentRun): readonly Block[] {
  return query === null ? [] : [{ name: "QUERY", text: query }];
}

const order = ["violated", "error", "incomplete", "pass", "skip"] as const;

function rank({ outcome }: Judgement): number {
  return order.indexOf(outcome);
}
