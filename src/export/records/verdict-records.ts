import { checksOf, type Layer, layers, type Outcome } from "../../model/outcome.ts";
import type { CheckResult, LayerResult, Verdict } from "../../model/verdict.ts";
import { type Attributes, type AttributeValue, bounded } from "./attribute.ts";
import { explainCheck, explainLayer, explainVerdict } from "./explanation.ts";
import { checkedSpan, rootSpan, type SpanReference } from "./judged-span.ts";
import type { JsonValue } from "../../model/json.ts";
import type { AgentRun } from "../../model/run.ts";

const mostRunAttributes = 64;
const longestRunAttribute = 1024;

/**
 * Matches the attribute names that exported verdicts use. An attribute of the run with such a name is not copied, so that an agent cannot
 * forge a verdict.
 */
const reserved =
  /^(gen_ai\.(evaluation|response|agent|conversation|operation)\.|error\.|test\.|openinference\.span\.kind$|langfuse\.observation\.type$|tracejury\.(verdict|layer|check|spec|query|run|revision|evaluator|price)(\.|$))/;

/** Event name for evaluations in the GenAI conventions. Log records and span events have this name. */
export const evaluationEvent = "gen_ai.evaluation.result";

/** One result about a run: the verdict, the outcome of a layer, or the outcome of a check. */
interface EvaluationResult {
  readonly span: SpanReference;
  readonly outcome: Outcome;
  /** Attributes of this result only; attributes that all results of the verdict share are not included. */
  readonly attributes: Attributes;
}

/** All results of one verdict: the verdict itself, then each layer followed by its checks. */
export interface EvaluationResults {
  /** Attributes of all `results`. */
  readonly common: Attributes;
  readonly results: readonly EvaluationResult[];
}

/**
 * Converts a verdict into evaluation results of the GenAI conventions. Explanations include answer texts and judges' reasons only if
 * `content` is true.
 */
export function evaluationResults(verdict: Verdict, content: boolean): EvaluationResults {
  const root = rootSpan(verdict.run);
  const { outcome } = verdict;
  const results: EvaluationResult[] = [
    { span: root, outcome, attributes: verdictAttributes(verdict, content) },
  ];
  for (const layer of layers) {
    const result = verdict.layers[layer];
    const attributes = layerAttributes(layer, result, content);
    results.push({ span: root, outcome: result.outcome, attributes });
    for (const check of result.checks) {
      const span = checkedSpan(verdict.run, check);
      results.push({ span, outcome: check.outcome, attributes: checkAttributes(verdict, check, content) });
    }
  }
  return { common: commonAttributes(verdict), results };
}

/** Score of a verdict by outcome. A run with warnings passes. Undecided outcomes have no score, so that averages exclude them. */
const verdictScores: Readonly<Partial<Record<Outcome, number>>> = { pass: 1, warn: 1, fail: 0 };
/** Score of a layer by outcome. A layer with warnings scores 0. */
const layerScores: Readonly<Partial<Record<Outcome, number>>> = { pass: 1, warn: 0, fail: 0 };

type Building = Map<string, AttributeValue>;

function verdictAttributes(verdict: Verdict, content: boolean): Attributes {
  const { outcome } = verdict;
  const attributes = evaluation("tracejury.verdict", outcome, explainVerdict(verdict, content));
  addIfKnown(attributes, "gen_ai.evaluation.score.value", verdictScores[outcome]);
  if (outcome === "error") {
    addErrorType(attributes, checksOf(verdict));
  }
  return attributes;
}

function layerAttributes(
  layer: Layer,
  { outcome, reason, checks }: LayerResult,
  content: boolean,
): Attributes {
  const explanation = explainLayer({ outcome, reason, checks }, content);
  const attributes = evaluation(`tracejury.${layer}`, outcome, explanation);
  attributes.set("tracejury.layer", layer);
  addIfKnown(attributes, "gen_ai.evaluation.score.value", layerScores[outcome]);
  if (outcome === "error") addErrorType(attributes, checks);
  return attributes;
}

function checkAttributes(verdict: Verdict, check: CheckResult, content: boolean): Attributes {
  const { layer, metric, outcome } = check;
  const attributes = evaluation(`${layer}.${metric}`, outcome, explainCheck(check, content));
  attributes.set("tracejury.layer", layer);
  attributes.set("tracejury.check.name", check.check);
  if (outcome === "error") addErrorType(attributes, [check]);
  addEvaluator(attributes, check);
  addIfKnown(attributes, "gen_ai.evaluation.score.value", scoreOf(check));
  addIfKnown(attributes, "tracejury.check.limit", limitOf(check));
  addIfKnown(attributes, "gen_ai.response.id", judgedCompletion(verdict, check));
  return attributes;
}

function evaluation(name: string, outcome: Outcome, explanation: string): Building {
  const attributes: Building = new Map();
  attributes.set("gen_ai.evaluation.name", name);
  attributes.set("gen_ai.evaluation.score.label", outcome);
  attributes.set("gen_ai.evaluation.explanation", explanation);
  return attributes;
}

function addIfKnown(attributes: Building, name: string, value: AttributeValue | undefined): void {
  if (value !== undefined) attributes.set(name, value);
}

/** Adds the evaluator of the check: the judge model, or `code` if no judge was needed. */
function addEvaluator(attributes: Building, { judge, outcome }: CheckResult): void {
  if (judge !== null) {
    attributes.set("tracejury.evaluator.type", "llm");
    attributes.set("tracejury.evaluator.model", bounded(judge.model));
    attributes.set("tracejury.evaluator.prompt.hash", judge.promptHash);
  } else if (outcome === "pass" || outcome === "warn" || outcome === "fail") {
    attributes.set("tracejury.evaluator.type", "code");
  }
}

/**
 * Adds the error type of the first check with the outcome `error`. If the check has no error type, adds `judge_error` for a check with a
 * judge, otherwise `evaluator_error`.
 */
function addErrorType(attributes: Building, checks: readonly CheckResult[]): void {
  const failed = checks.find((check) => check.outcome === "error");
  const unnamed = failed !== undefined && failed.judge !== null ? "judge_error" : "evaluator_error";
  attributes.set("error.type", failed?.errorType ?? unnamed);
}

/**
 * Returns the score of a check: its measured number. A check that measures a metric scores 1 or 0 for a boolean, and undefined if
 * nothing was measured. Any other check scores 1 for a pass, 0 for a violation, and undefined if undecided.
 */
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

/** Returns the response id of the model call if this call is the only evidence of the check; otherwise undefined. */
function judgedCompletion(verdict: Verdict, check: CheckResult): string | undefined {
  if (check.spanIds.length !== 1) return undefined;
  const call = verdict.run.llm.find((one) => one.spanId === check.spanIds[0]);
  return call?.responseId ?? undefined;
}

/** Returns the attributes that all records of a verdict have: run, spec, query and revision. */
export function commonAttributes(verdict: Verdict): Attributes {
  const { run } = verdict;
  const attributes = new Map<string, AttributeValue>();
  const text = (name: string, value: string | null): void => {
    if (value !== null) attributes.set(name, bounded(value, longestRunAttribute));
  };
  text("gen_ai.agent.name", run.agent);
  text("gen_ai.agent.id", textOf(run, "gen_ai.agent.id"));
  text("gen_ai.agent.version", textOf(run, "gen_ai.agent.version"));
  text("gen_ai.conversation.id", run.conversationId);
  text("test.suite.name", verdict.spec);
  text("test.case.name", verdict.queryId);
  text("tracejury.verdict.id", verdict.verdictId);
  text("tracejury.spec.name", verdict.spec);
  text("tracejury.spec.hash", verdict.provenance.specHash);
  text("tracejury.query.id", verdict.queryId);
  text("tracejury.run.id", run.runId);
  attributes.set("tracejury.run.complete", run.complete);
  text("tracejury.run.close_reason", run.closeReason);
  attributes.set("tracejury.revision", BigInt(verdict.revision));
  text("tracejury.price.source", run.priceSource);
  addRunAttributes(run, attributes);
  return attributes;
}

function textOf(run: AgentRun, name: string): string | null {
  const value = run.attributes.get(name);
  return typeof value === "string" ? value : null;
}

function addRunAttributes(run: AgentRun, into: Map<string, AttributeValue>): void {
  let added = 0;
  for (const [name, value] of run.attributes) {
    if (reserved.test(name) || into.has(name)) continue;
    const attribute = attributeOf(value);
    if (attribute === undefined) continue;
    if (++added > mostRunAttributes) return;
    into.set(name, attribute);
  }
}

function attributeOf(value: JsonValue): AttributeValue | undefined {
  if (value === null) return undefined;
  if (typeof value === "string") return bounded(value, longestRunAttribute);
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === "boolean") return value;
  return bounded(JSON.stringify(value), longestRunAttribute);
}
