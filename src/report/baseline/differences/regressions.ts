import { faultsOf } from "../../../evaluate/result/faults.ts";
import { listed } from "../../../evaluate/rules/text.ts";
import { expectedFailKey } from "../../../evaluate/result/expect-failure.ts";
import { RunQuantities } from "../../../evaluate/quantities/run-quantities.ts";
import { layers, type Outcome } from "../../../model/outcome.ts";
import type { Difference } from "./difference.ts";
import type { Judged, JudgedCheck, Side } from "../side.ts";

/**
 * Returns the regressions of the newer run: checks that fail now and did not fail for the same cause in the older run, many more tool
 * calls, or a lower score together with other differences.
 */
export function regressions(before: Side, after: Side, others: readonly Difference[]): readonly Difference[] {
  return [
    ...(before.judged === null || after.judged === null
      ? []
      : [
          ...newFindings(before.judged, after.judged, "fail"),
          ...fallenScore(before.judged, after.judged, others),
        ]),
    ...moreToolCalls(before, after),
  ];
}

/**
 * Returns a difference for each check that warns in the newer run, and did not warn or fail in the older run.
 * A check that warned before for another reason also gives a difference.
 */
export function newWarnings({ judged: before }: Side, { judged: after }: Side): readonly Difference[] {
  return before === null || after === null ? [] : newFindings(before, after, "warn");
}

const kinds = {
  fail: { type: "REGRESSION", severity: "error", verb: "fails" },
  warn: { type: "WARNING_ADDED", severity: "warn", verb: "warns" },
} as const;

/**
 * Returns a difference for each check of the newer run that has the outcome `outcome`. Left out are checks that had this outcome or a worse
 * one in the older run, for the same cause.
 */
function newFindings(before: Judged, after: Judged, outcome: "fail" | "warn"): readonly Difference[] {
  const { type, severity, verb } = kinds[outcome];
  const wasViolated = (one: JudgedCheck): boolean =>
    failed(one) || (outcome === "warn" && one.outcome === "warn");
  return layers.flatMap((layer) => {
    // The check of `expected_fail` fails if the run unexpectedly passes. A run that passes is not a
    // regression.
    const found = after.layers[layer].checks.filter(
      (one) => one.outcome === outcome && one.check !== expectedFailKey,
    );
    return found.flatMap((now): Difference[] => {
      const old = before.layers[layer].checks.filter(
        ({ check, turn }) => check === now.check && turn === now.turn,
      );
      const how = noveltyOf(now, old.filter(wasViolated));
      if (how === undefined) return [];
      const was: Outcome = old.find(wasViolated)?.outcome ?? old[0]?.outcome ?? "skip";
      const message = `${now.check} ${verb} now (${how || `${was} before`}): ${now.message}`;
      return [{ type, severity, layer, message, before: was, after: outcome }];
    });
  });
}

/**
 * Describes the causes of a violation that the older run did not have; if the causes are unknown, returns a remark. Returns an empty text
 * if the check was not violated in the older run, and undefined if all causes are old.
 */
function noveltyOf(now: JudgedCheck, before: readonly JudgedCheck[]): string | undefined {
  if (before.length === 0) return "";
  const faults = faultsOf(now);
  const known = before.map(faultsOf);
  const lacksCauses = faults === null || known.includes(null);
  const all = new Set(known.flatMap((some) => (some?.length === 0 ? [WHOLE_CHECK] : (some ?? []))));
  const added = (faults?.length === 0 ? [WHOLE_CHECK] : (faults ?? [])).filter((fault) => !all.has(fault));
  if (lacksCauses && (faults === null || added.length > 0)) {
    return "it was also violated before, and the saved verdict lacks the cause: save the run again";
  }
  return added.length === 0 ? undefined : `for a new reason: ${listed(added)}`;
}

/** Cause of a violated check that lists no causes. */
const WHOLE_CHECK = "the check as a whole";

function failed({ outcome }: JudgedCheck): boolean {
  return outcome === "fail";
}

/** Maximum decrease of the score, in points, that is not reported, as in EvalView. */
const SCORE_DROP = 5;

function fallenScore(
  { score: before }: Judged,
  { score: after }: Judged,
  others: readonly Difference[],
): readonly Difference[] {
  if (before === null || after === null || others.length === 0 || before - after <= SCORE_DROP) return [];
  const message = `the score fell from ${before.toFixed(1)} to ${after.toFixed(1)}`;
  return [{ type: "REGRESSION", severity: "error", layer: "correctness", message, before, after }];
}

/**
 * Returns a regression if the newer run has more than twice as many tool calls, and at least four more, as in
 * AgentCI.
 */
function moreToolCalls(before: Side, after: Side): readonly Difference[] {
  const old = toolCalls(before);
  const now = toolCalls(after);
  if (old === null || now === null || now <= old * 2 || now <= old + 3) return [];
  const message = `${now} tool calls, ${old} before`;
  return [{ type: "REGRESSION", severity: "error", layer: "path", message, before: old, after: now }];
}

function toolCalls({ run }: Side): number | null {
  const { toolsMissing, toolNames } = new RunQuantities(run);
  return toolsMissing === "tools" ? null : toolNames.length;
}

/**
 * Whether the verdict improved: from fail to warn or pass, or from warn to pass. Returns false if one of the
 * verdicts is undecided.
 */
export function improved({ judged: before }: Side, { judged: after }: Side): boolean {
  if (before === null || after === null) return false;
  const old = steps.indexOf(before.outcome);
  return old >= 0 && steps.indexOf(after.outcome) > old;
}

const steps: readonly Outcome[] = ["fail", "warn", "pass"];
