import { type Layer, type Outcome, layers, outcomes } from "../../model/outcome.ts";
import type { JsonValue } from "../../model/json.ts";
import type { CheckResult, LayerResult, Verdict } from "../../model/verdict.ts";
import { bounded } from "./attribute.ts";

const longestLimit = 200;

/**
 * Explains the outcome of a check. Without `content`, the text contains the rule, numbers, the missing evidence and the remedy, but no text
 * of the answer, of a tool or of a judge. The message of a skipped check is always included, because it contains no text of the run.
 */
export function explainCheck(check: CheckResult, content: boolean): string {
  const parts = content ? [check.message, check.judge?.rationale ?? null] : [ruleAndNumbers(check)];
  if (check.missing.length > 0 && !content) parts.push(`Missing: ${check.missing.join(", ")}.`);
  parts.push(check.remedy);
  return bounded(parts.filter((part) => part !== null && part !== "").join(" "));
}

/**
 * Explains the outcome of a layer. With `content`, returns the layer's reason. Without `content`, returns the number of checks by outcome,
 * with the names of checks that did not pass.
 */
export function explainLayer(result: LayerResult, content: boolean): string {
  if (content) return bounded(result.reason);
  if (result.checks.length === 0) return "No checks.";
  return bounded(`${outcomes.flatMap((outcome) => namesWith(result.checks, outcome)).join("; ")}.`);
}

/**
 * Explains a verdict: the outcome of each layer. With `content`, adds the layer's reason; without `content`, the checks that decided the
 * outcome.
 */
export function explainVerdict(verdict: Verdict, content: boolean): string {
  return bounded(layers.map((layer) => layerInVerdict(layer, verdict.layers[layer], content)).join(" "));
}

function layerInVerdict(layer: Layer, result: LayerResult, content: boolean): string {
  const head = `${layer} ${result.outcome}`;
  if (content) return `${head}: ${result.reason.replace(/(?<![.!?])$/, ".")}`;
  const deciding = result.checks.filter((check) => check.outcome === result.outcome);
  if (result.outcome === "pass" || deciding.length === 0) return `${head}.`;
  return `${head}: ${deciding.map((check) => check.check).join(", ")}.`;
}

function namesWith(checks: readonly CheckResult[], outcome: Outcome): string[] {
  const names = checks.filter((check) => check.outcome === outcome).map((check) => check.check);
  if (names.length === 0) return [];
  return [outcome === "pass" ? `${names.length} pass` : `${names.length} ${outcome} (${names.join(", ")})`];
}

function ruleAndNumbers(check: CheckResult): string {
  const rule = check.limit === null ? check.check : `${check.check} ${limitText(check.limit)}`;
  const measured = typeof check.value === "number" ? `, ${check.metric} is ${numberText(check.value)}` : "";
  const score = typeof check.judge?.score === "number" ? `, judged ${numberText(check.judge.score)}` : "";
  const reason = check.outcome === "skip" && check.message !== "" ? `, ${check.message}` : "";
  return `${rule}: ${outcomeVerbs[check.outcome]}${measured}${score}${reason}.`;
}

const outcomeVerbs: Readonly<Record<Outcome, string>> = {
  pass: "passed",
  fail: "failed",
  warn: "failed (warning only)",
  skip: "not evaluated",
  incomplete: "undecided",
  error: "the evaluator failed",
};

function limitText(limit: JsonValue): string {
  return bounded(typeof limit === "string" ? limit : JSON.stringify(limit), longestLimit);
}

/** Rounds a number for the explanation. The attribute with the score contains the exact number. */
function numberText(value: number): string {
  return String(Number(value.toPrecision(6)));
}
