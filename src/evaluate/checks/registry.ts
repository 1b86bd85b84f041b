import type { Check } from "./check.ts";
import { maxCostMultiplier } from "./cost/max-cost-multiplier.ts";
import { budgetChecks } from "./cost/budgets.ts";
import { agentBudgets, toolBudgets } from "./cost/step-budgets.ts";
import { tokenComponentChecks } from "./cost/token-components.ts";
import { tokenShares } from "./cost/token-shares.ts";
import { exactMatch } from "./correctness/exact-match.ts";
import { grounded } from "./correctness/grounded.ts";
import { jsonSchema } from "./correctness/json-schema-check.ts";
import { notRegexMatch, regexMatch } from "./correctness/regex-match.ts";
import { rougeCheck } from "./correctness/rouge-check.ts";
import { runStatus } from "./correctness/run-status.ts";
import { anyExpectedInAnswer, expectedInAnswer, notInAnswer } from "./correctness/terms-in-answer.ts";
import { judgedChecks } from "../judge/checks/checks.ts";
import { maxAnomalies, minCoherence, minTrust } from "./path/behaviour-checks.ts";
import { changeChecks } from "./path/change-checks.ts";
import {
  expectedTools,
  minToolF1,
  minToolPrecision,
  minToolRecall,
  succeeded,
} from "./path/tools/expected-tools.ts";
import { forbiddenTools } from "./path/tools/forbidden-tools.ts";
import {
  expectedHandoff,
  expectedHandoffs,
  expectedHandoffsAvailable,
  maxHandoffCount,
} from "./path/handoffs.ts";
import { maxLoops, maxToolCalls, maxToolErrors } from "./path/tools/call-counts.ts";
import { expectedSteps, minProgress } from "./path/progress-check.ts";
import { allowedTools, maxStrategicDrift } from "./path/strategic-drift-check.ts";
import { callMode } from "./path/tools/call-mode.ts";
import { expectedToolCalls, toolCallAccuracyCheck } from "./path/tools/tool-call-accuracy-check.ts";
import { expectedToolCategories, toolCategories } from "./path/tools/tool-categories.ts";
import {
  acceptedToolSequences,
  expectedToolSequence,
  matchMode,
  minSequenceSimilarity,
  sequenceMetric,
  sequenceMode,
} from "./path/tools/tool-order.ts";

/**
 * All checks whose keys are written under `correctness`, `path` or `cost`, in the order of the reference page. Judge checks are in the
 * order of their stages. The spec's schema, the JSON Schema, the reference page and the messages of `validate` are derived from this list.
 */
export const checks: readonly Check[] = [
  runStatus,
  expectedInAnswer,
  anyExpectedInAnswer,
  notInAnswer,
  exactMatch,
  regexMatch,
  notRegexMatch,
  jsonSchema,
  rougeCheck,
  grounded,
  ...judgedChecks,
  maxToolCalls,
  expectedTools,
  minToolRecall,
  succeeded,
  minToolPrecision,
  minToolF1,
  forbiddenTools,
  maxLoops,
  matchMode,
  expectedToolSequence,
  acceptedToolSequences,
  sequenceMode,
  minSequenceSimilarity,
  sequenceMetric,
  expectedToolCalls,
  callMode,
  toolCallAccuracyCheck,
  expectedToolCategories,
  toolCategories,
  expectedHandoff,
  expectedHandoffs,
  expectedHandoffsAvailable,
  maxHandoffCount,
  expectedSteps,
  minProgress,
  maxStrategicDrift,
  allowedTools,
  maxToolErrors,
  maxAnomalies,
  minTrust,
  minCoherence,
  ...changeChecks,
  maxCostMultiplier,
  ...budgetChecks,
  agentBudgets,
  toolBudgets,
  tokenShares,
  ...tokenComponentChecks,
];

const byKey: ReadonlyMap<string, Check> = new Map(checks.map((check) => [check.key, check]));

/** Returns the check with this key in specs; undefined if there is none. */
export function checkOf(key: string): Check | undefined {
  return byKey.get(key);
}
