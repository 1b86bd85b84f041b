import { type Layer, layers, type Outcome } from "../model/outcome.ts";
import type { CheckResult, LayerResult, Verdict } from "../model/verdict.ts";
import { type Attributes, type AttributeValue, bounded } from "./attribute.ts";
import { commonAttributes } from "./common-attributes.ts";
import { explainCheck, explainLayer, explainVerdict } from "./explanation.ts";
import { checkedSpan, rootSpan, type SpanReference } from "./judged-span.ts";

/** The event name the GenAI conventions define for evaluations, on log records and span events alike. */
export const evaluationEvent = "gen_ai.evaluation.result";

/** One answer about a run: the verdict, a layer of it, or a check. */
export interface EvaluationResult {
  readonly span: SpanReference;
  readonly outcome: Outcome;
  /** Without those of `commonAttributes`. */
  readonly attributes: Attributes;
}

/** All that is sent about one verdict: the verdict first, then each layer followed by its checks. */
export interface EvaluationResults {
  /** Carried by every one of `results`. */
  readonly common: Attributes;
  readonly results: readonly EvaluationResult[];
}

/**
 * Says a verdict in the words of the GenAI conventions. `content` lets answer texts and the judges' rationale into the explanations;
 * without it they hold rules and numbers only.
 */
export function evaluationResults(verdict: Verdict, content: boolean): EvaluationResults {
  const root = rootSpan(verdict.run);
  const results: EvaluationResult[] = [
    {
      span: root,
      outcome: verdict.outcome,
      attributes: new Map([
        ...nameAndLabel("tracejury.verdict", verdict.outcome, explainVerdict(verdict, content)),
        ...errorType(
          verdict.outcome,
          layers.flatMap((layer) => verdict.layers[layer].checks),
        ),
      ]),
    },
  ];
  for (const layer of layers) {
    const result = verdict.layers[layer];
    results.push({
      span: root,
      outcome: result.outcome,
      attributes: layerAttributes(layer, result, content),
    });
    for (const check of result.checks) {
      results.push({
        span: checkedSpan(verdict.run, check),
        outcome: check.outcome,
        attributes: checkAttributes(verdict, check, content),
      });
    }
  }
  return { common: commonAttributes(verdict), results };
}

function layerAttributes(layer: Layer, result: LayerResult, content: boolean): Attributes {
  return new Map([
    ...nameAndLabel(`tracejury.${layer}`, result.outcome, explainLayer(result, content)),
    ["tracejury.layer", layer],
    ...errorType(result.outcome, result.checks),
  ]);
}

function checkAttributes(verdict: Verdict, check: CheckResult, content: boolean): Attributes {
  const attributes = new Map<string, AttributeValue>([
    ...nameAndLabel(`${check.layer}.${check.metric}`, check.outcome, explainCheck(check, content)),
    ["tracejury.layer", check.layer],
    ["tracejury.check.name", check.check],
    ...errorType(check.outcome, [check]),
    ...evaluatorOf(check),
  ]);
  const score = scoreOf(check);
  if (score !== undefined) attributes.set("gen_ai.evaluation.score.value", score);
  const limit = limitOf(check);
  if (limit !== undefined) attributes.set("tracejury.check.limit", limit);
  const completion = judgedCompletion(verdict, check);
  if (completion !== undefined) attributes.set("gen_ai.response.id", completion);
  return attributes;
}

/** Who decided; nothing when nobody did. */
function evaluatorOf({ judge, outcome }: CheckResult): [string, AttributeValue][] {
  if (judge !== null) {
    return [
      ["tracejury.evaluator.type", "llm"],
      ["tracejury.evaluator.model", bounded(judge.model)],
      ["tracejury.evaluator.prompt.hash", judge.promptHash],
    ];
  }
  const decided = outcome === "pass" || outcome === "warn" || outcome === "fail";
  return decided ? [["tracejury.evaluator.type", "code"]] : [];
}

function nameAndLabel(name: string, outcome: Outcome, explanation: string): [string, AttributeValue][] {
  return [
    ["gen_ai.evaluation.name", name],
    ["gen_ai.evaluation.score.label", outcome],
    ["gen_ai.evaluation.explanation", explanation],
  ];
}

/** What failed: as the evaluator says, else whether it was a judge or code of ours. */
function errorType(outcome: Outcome, checks: readonly CheckResult[]): [string, AttributeValue][] {
  if (outcome !== "error") return [];
  const failed = checks.find((check) => check.outcome === "error");
  const unnamed = failed !== undefined && failed.judge !== null ? "judge_error" : "evaluator_error";
  return [["error.type", failed?.errorType ?? unnamed]];
}

/** The measure itself; 1 or 0 for a yes/no check that was decided; undefined when unknown. */
function scoreOf(check: CheckResult): number | undefined {
  const { value } = check;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (check.metric !== check.check) {
    if (value === null) return undefined;
    if (typeof value === "boolean") return value ? 1 : 0;
  }
  if (check.outcome === "pass") return 1;
  return check.outcome === "fail" || check.outcome === "warn" ? 0 : undefined;
}

function limitOf(check: CheckResult): AttributeValue | undefined {
  const { limit } = check;
  if (limit === null) return undefined;
  if (typeof limit === "string") return bounded(limit);
  if (typeof limit === "number" || typeof limit === "boolean") return limit;
  return bounded(JSON.stringify(limit));
}

/** The id of the completion a check rests on, when it rests on one alone. */
function judgedCompletion(verdict: Verdict, check: CheckResult): string | undefined {
  if (check.spanIds.length !== 1) return undefined;
  const call = verdict.run.llm.find((one) => one.spanId === check.spanIds[0]);
  return call?.responseId ?? undefined;
}
