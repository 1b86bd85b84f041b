import { z } from "zod";
import type { CompiledQuery } from "../../spec/compiled.ts";
import { type Check, type CheckContext, defineCheck } from "../check.ts";
import { pass, violated } from "../finding.ts";
import { foldName } from "../fold-name.ts";
import { toolRecall } from "../metrics/tool-sets.ts";
import { toolsOfCategory } from "../path/tool-categories.ts";
import { toolsHidden } from "../path/tool-evidence.ts";
import { expectedSequence, expectedTools } from "../references.ts";
import { share } from "../text.ts";

type Scoring = NonNullable<CompiledQuery["scoring"]>;

/** EvalView's shares. */
const usual = { tool_accuracy: 0.3, output_quality: 0.5, sequence_correctness: 0.2 };

/**
 * EvalView's `min_score` on 100·(tool accuracy·w + output quality·w + sequence correctness·w). Output quality takes a judge; without
 * one the score is only known to lie in a range, which decides where it can: below the limit even at its best, or above it at worst.
 */
export function minScoreCheck({ weights = usual }: Scoring): Check {
  return defineCheck({
    key: "scoring.min_score",
    layer: "path",
    metric: "score",
    summary: "The weighted score reaches this, 0 to 100.",
    limit: z.number().min(0).max(100),
    undoable: true,
    evaluate(context, limit) {
      const names = context.metrics.knownNames;
      if (names === null) return toolsHidden(context);
      const tools = toolAccuracy(context, names);
      const sequence = sequenceCorrectness(context, names);
      const low = 100 * (tools * weights.tool_accuracy + sequence * weights.sequence_correctness);
      const high = low + 100 * weights.output_quality;
      const known = `tool accuracy ${share(tools)}, sequence ${share(sequence)}`;
      const value = low === high ? low : null;
      const range = value === null ? `${points(low)} to ${points(high)}` : points(low);
      const measure = `score ${range}, at least ${points(limit)} asked for (${known})`;
      if (low >= limit) return pass(value, measure);
      if (high < limit) return violated(value, measure);
      return {
        outcome: "incomplete",
        value: null,
        message: `${measure}; output quality is not known`,
        missing: ["output_quality"],
        remedy:
          "Judge the output by a rubric of its own (llm_judge with rubric: output_quality@1), or give output_quality the weight 0.",
      };
    },
  });
}

/** Expected tools that were used and categories that were, of all expected; 1 when nothing is expected. */
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
  const found = tools.size === 0 ? 0 : toolRecall([...tools], names) * tools.size;
  return (found + satisfied) / wanted;
}

/** Share of the expected sequence that was followed: in order (extras allowed), place by place, or in any order. */
function sequenceCorrectness(context: CheckContext, names: readonly string[]): number {
  const expected = expectedSequence(context)?.names ?? [];
  if (expected.length === 0) return 1;
  const mode = context.settings["sequence_mode"];
  if (mode === "exact" || mode === "strict" || mode === "same-order") {
    const same = expected.filter((name, at) => names[at] === name).length;
    return same / Math.max(expected.length, names.length);
  }
  if (mode === "unordered" || mode === "same-calls" || mode === "contains-calls") {
    return overlap(expected, names) / expected.length;
  }
  let at = 0;
  for (const name of names) if (name === expected[at]) at++;
  return at / expected.length;
}

function overlap(expected: readonly string[], names: readonly string[]): number {
  const left = new Map<string, number>();
  for (const name of names) left.set(name, (left.get(name) ?? 0) + 1);
  return expected.filter((name) => {
    const times = left.get(name) ?? 0;
    left.set(name, times - 1);
    return times > 0;
  }).length;
}

function points(value: number): string {
  return String(Math.round(value * 10) / 10);
}
