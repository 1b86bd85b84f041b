import type { JsonValue } from "../../model/json.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { CheckResult } from "../../model/verdict.ts";
import type { BoundCheck } from "../query/compiled.ts";
import type { CheckContext, Finding, CompiledCheck } from "../checks/check.ts";
import { unlessFailed } from "../rules/failed-run.ts";
import type { LayerPlan } from "../assess/plan.ts";
import { prepareOnce } from "../assess/compile-check.ts";
import { faultsOf } from "./faults.ts";
import { remedyFor } from "./remedies.ts";
import { possibleContexts, unlessOpen } from "./unknown-execution.ts";

const none: readonly string[] = [];

/** Evaluates one check and returns its result. If the check throws, the outcome is `error`, which is not a failure of the agent. */
export function runCheck(bound: BoundCheck, context: CheckContext): CheckResult {
  const ask: CompiledCheck = (about) => prepareOnce(bound, context.settings, context.preset)(about);
  return toCheckResult(bound, safely(ask, bound, context, possibleContexts(context)), context);
}

/**
 * Evaluates all checks of a layer. If a check returns the same constant finding as for the previous complete run, and this run is complete,
 * the result comes from the cache.
 */
export function askLayer(plan: LayerPlan, context: CheckContext): readonly CheckResult[] {
  const { asks, findings, results } = plan;
  const { complete } = context.run;
  const others = possibleContexts(context);
  const given = [...results];
  for (let at = 0; at < asks.length; at++) {
    const bound = plan.bounds[at] as BoundCheck;
    const finding = safely(asks[at] as CompiledCheck, bound, context, others);
    if (finding.known !== true || !complete) {
      given[at] = toCheckResult(bound, finding, context);
    } else {
      if (findings[at] !== finding) {
        findings[at] = finding;
        results[at] = toCheckResult(bound, finding, context);
      }
      given[at] = results[at];
    }
  }
  return given as readonly CheckResult[];
}

function safely(
  ask: CompiledCheck,
  bound: BoundCheck,
  context: CheckContext,
  others: readonly CheckContext[],
): Finding {
  try {
    return unlessOpen(ask(context), ask, bound, context, others);
  } catch (error) {
    return broken(error);
  }
}

function broken(error: unknown): Finding {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    outcome: "error",
    value: null,
    message: `the check itself failed: ${reason}`,
    remedy: "This is an error of the check, not of the agent. Report it, or remove the check from the spec.",
  };
}

/**
 * Converts a finding into a result. In an incomplete run, a violation counts only if more data cannot undo it; other violations and passes
 * become `incomplete`.
 */
export function toCheckResult(bound: BoundCheck, finding: Finding, context: CheckContext): CheckResult {
  const { outcome: found } = finding;
  if (found === "pass") {
    return context.run.complete ? resultOf(bound, finding, "pass") : unfinished(bound, finding, context);
  }
  if (found === "incomplete") {
    const known = context.isFailureAccepted === true ? finding : unlessFailed(finding, context.run);
    return resultOf(bound, known, known === finding ? "incomplete" : "skip");
  }
  if (found !== "violated") return resultOf(bound, finding, found);
  const mayBeUndone = bound.check.undoable && finding.final !== true;
  if (!context.run.complete && mayBeUndone) return unfinished(bound, finding, context);
  return resultOf(bound, finding, severityOf(bound, context));
}

function severityOf({ check, severity }: BoundCheck, context: CheckContext): "fail" | "warn" {
  if (check.hard === true) return "fail";
  if (severity !== undefined) return severity;
  if (check.onViolation !== undefined) return check.onViolation;
  if (check.layer === "correctness") return "fail";
  return context.preset === "evalview" && evalviewFails.has(check.key) ? "fail" : "warn";
}

/** Checks whose violation is a failure with `preset: evalview`, like EvalView's `max_cost`, `max_latency` and `min_score`. */
const evalviewFails: ReadonlySet<string> = new Set(["max_cost_usd", "max_latency_ms", "scoring.min_score"]);

function unfinished(bound: BoundCheck, finding: Finding, context: CheckContext): CheckResult {
  const { field, why } = unfinishedPart(context.run);
  const message = `${why}; with the received spans: ${finding.message}`;
  const remedy = remedyFor(field, context.run);
  return { ...resultOf(bound, finding, "incomplete"), message, missing: [field], remedy };
}

/** Returns what an incomplete run lacks: turns of a conversation, or spans. */
export function unfinishedPart({ missing }: AgentRun): { readonly field: string; readonly why: string } {
  const turns = missing.find(({ what }) => what === "expected_turns");
  return turns === undefined
    ? { field: "run", why: "the run is not complete" }
    : { field: "expected_turns", why: turns.why };
}

/** Returns the result of a check that was not evaluated because of an error outside the check. */
export function errorResult(bound: BoundCheck, message: string, remedy: string): CheckResult {
  return resultOf(bound, { outcome: "error", value: null, message, remedy }, "error");
}

/** Returns the result of a check that lacks evidence. */
export function incompleteResult(
  bound: BoundCheck,
  found: Required<Pick<Finding, "message" | "missing" | "remedy">>,
): CheckResult {
  return resultOf(bound, { ...found, outcome: "incomplete", value: null }, "incomplete");
}

/** Creates a result, without object spread: the function runs for each check of each run, and spread is slow. */
function resultOf(bound: BoundCheck, finding: Finding, outcome: Outcome): CheckResult {
  const { key, metric, layer } = bound.check;
  const { value, message, remedy = null, missing = none, spanIds = none } = finding;
  const result = {
    check: key,
    metric,
    layer,
    outcome,
    value,
    limit: bound.written ?? (bound.limit as JsonValue),
    message,
    remedy,
    missing,
    spanIds,
    source: bound.source,
    judge: null,
  };
  return outcome === "pass" || outcome === "skip" ? result : withFaults(result, finding);
}

/** Adds reasons and causes to a result; causes only if no other field contains them, such as `missing` of an incomplete result. */
function withFaults(result: CheckResult, { reasons, faults }: Finding): CheckResult {
  const withReasons: CheckResult = reasons === undefined ? result : { ...result, reasons };
  const isViolation = result.outcome === "fail" || result.outcome === "warn";
  if (faults === undefined || !isViolation || isSame(faultsOf(withReasons), faults)) return withReasons;
  return { ...withReasons, faults };
}

function isSame(some: readonly string[] | null, others: readonly string[]): boolean {
  return some?.length === others.length && others.every((fault, at) => fault === some[at]);
}
