import { countsOf } from "../../support/structures/group-by.ts";
import type { CompiledQuery } from "../query/compiled.ts";
import type { CheckContext } from "../checks/check.ts";
import { foldName } from "../rules/fold-name.ts";
import { type BareMode, type PlainMode, resolveMode } from "../metrics/match-mode.ts";
import { toolRecall } from "../metrics/tool-sets.ts";
import { forbiddenTest } from "../checks/path/tools/forbidden-tools.ts";
import { toolsOfCategory } from "../checks/path/tools/tool-categories.ts";
import { namesInPatterns, wasCalledBy } from "../rules/tool-names.ts";
import { expectedSequence, expectedTools } from "../rules/references.ts";

export type Scoring = NonNullable<CompiledQuery["scoring"]>;

export const minScoreKey = "scoring.min_score";

/** Default weights, from EvalView. */
const usualWeights = { tool_accuracy: 0.3, output_quality: 0.5, sequence_correctness: 0.2 };

/** EvalView's score of a run, from 0 to 100. Without a judge's rating, only the range from `low` to `high` is known. */
export interface Score {
  /** Share of the expected tools and categories that were used, from 0 to 1. */
  readonly toolAccuracy: number;
  readonly sequence: number;
  /** Quality of the output from 0 to 100; null without a judge's reply. */
  readonly quality: number | null;
  readonly low: number;
  readonly high: number;
  /** The score; null if only the range `low` to `high` is known. */
  readonly value: number | null;
  /** True if a forbidden tool was called, which makes EvalView's score 0. */
  readonly forbidden: boolean;
}

/**
 * Returns 100·(tool accuracy·w + output quality·w + sequence correctness·w), each a share from 0 to 1 with its own weight w. Null if tool
 * calls or their names are unknown.
 * @param context context of the path layer
 */
export function scoreOf(context: CheckContext, { weights = usualWeights }: Scoring): Score | null {
  const names = context.metrics.knownNames;
  if (names === null) return null;
  const accuracy = toolAccuracy(context, names);
  const sequence = sequenceCorrectness(context, names);
  const quality = typeof context.outputQuality === "number" ? context.outputQuality : null;
  const known = 100 * (accuracy * weights.tool_accuracy + sequence * weights.sequence_correctness);
  const low = known + (quality ?? 0) * weights.output_quality;
  const high = known + (quality ?? 100) * weights.output_quality;
  return {
    toolAccuracy: accuracy,
    sequence,
    quality,
    low,
    high,
    value: low === high ? low : null,
    forbidden: forbiddenCalled(context),
  };
}

/**
 * Returns EvalView's score as one number; null if only a range is known. If a check of a complete run failed before a judge was called,
 * output quality counts as 0. With `preset: evalview`, the score of a run with a forbidden tool is 0.
 */
export function scoreValue(context: CheckContext, scoring: Scoring): number | null {
  if (context.preset === "evalview" && forbiddenCalled(context)) return 0;
  const score = scoreOf(context, scoring);
  if (score === null || score.value !== null) return score?.value ?? null;
  return context.outputQuality === "failed" && context.run.complete ? score.low : null;
}

function forbiddenCalled({ settings, metrics, run }: CheckContext): boolean {
  const written = settings["forbidden_tools"];
  if (!Array.isArray(written)) return false;
  const isForbidden = forbiddenTest(written as readonly string[]);
  return (
    metrics.toolNames.some(isForbidden) ||
    metrics.used.some(({ through }) => isForbidden(through)) ||
    run.handoffs.some(({ tool }) => isForbidden(tool))
  );
}

/** Whether the score needs a judge: the weight of output quality is above 0. */
export function needsQuality({ weights = usualWeights }: Scoring): boolean {
  return weights.output_quality > 0;
}

/** Returns the share of the expected tools and categories that were used, from 0 to 1; 1 if none is expected. */
function toolAccuracy(context: CheckContext, names: readonly string[]): number {
  const tools = new Set(expectedTools(context)?.names);
  const written = context.settings["expected_tool_categories"];
  const categories = Array.isArray(written) ? (written as readonly string[]) : [];
  const wanted = tools.size + categories.length;
  if (wanted === 0) return 1;
  const folded = new Set(names.map(foldName));
  const satisfied = categories.filter((category) =>
    toolsOfCategory(context, category).some((tool) => folded.has(foldName(tool))),
  ).length;
  const found =
    tools.size === 0 ? 0 : toolRecall([...tools], names, wasCalledBy(context.preset)) * tools.size;
  return (found + satisfied) / wanted;
}

/**
 * Returns the share of the expected sequence that the run followed, from 0 to 1. `sequence_mode` decides how tools are compared: position
 * by position, as often as expected, at least once, or in order (default). As in EvalView, the divisor is the number of expected tools, so
 * additional calls are not counted. For modes that only allow tools, returns the share of allowed calls.
 */
function sequenceCorrectness(context: CheckContext, called: readonly string[]): number {
  const expected = expectedSequence(context)?.names ?? [];
  const names = namesInPatterns(called, expected, context.preset);
  if (expected.length === 0) return 1;
  const written = context.settings["sequence_mode"];
  const mode =
    typeof written === "string"
      ? resolveMode(written as PlainMode | BareMode, context.preset ?? "evalview")
      : undefined;
  switch (mode) {
    case "same-order":
      return expected.filter((name, at) => names[at] === name).length / expected.length;
    case "same-calls":
    case "contains-calls":
      return overlap(expected, names) / expected.length;
    case "same-tools":
    case "contains":
      return toolRecall(expected, names);
    case "only-allowed":
      return names.length === 0 ? 1 : names.filter((name) => expected.includes(name)).length / names.length;
    case "only-allowed-calls":
      return names.length === 0 ? 1 : overlap(names, expected) / names.length;
    case "contains-in-order":
    case undefined:
      return inOrder(expected, names) / expected.length;
  }
}

function inOrder(expected: readonly string[], names: readonly string[]): number {
  let at = 0;
  for (const name of names) if (name === expected[at]) at++;
  return at;
}

function overlap(expected: readonly string[], names: readonly string[]): number {
  const left = countsOf(names);
  return expected.filter((name) => {
    const times = left.get(name) ?? 0;
    left.set(name, times - 1);
    return times > 0;
  }).length;
}
