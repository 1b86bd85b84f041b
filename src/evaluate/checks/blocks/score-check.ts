import { judgesAreOff } from "../../../model/not-judged.ts";
import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import { z } from "zod";
import { type Check, type CheckContext, defineCheck, type Finding } from "../check.ts";
import { pass, skip, violated } from "../../result/finding.ts";
import { toolsHidden } from "../path/tools/tool-evidence.ts";
import { minScoreKey, type Score, scoreOf, type Scoring } from "../../quantities/score.ts";
import { share } from "../../rules/text.ts";

/**
 * Creates the check for EvalView's `min_score`: 100·(tool accuracy·w + output quality·w + sequence correctness·w), each with its own weight
 * w. The three parts are shares from 0 to 1. A judge rates output quality. Until the judge has replied, the score is a range. The check is
 * then decided only if the whole range is on one side of the limit. With `preset: evalview`, a forbidden tool makes the score 0; the
 * message also gives the score that the run would have otherwise.
 */
export function minScoreCheck(scoring: Scoring): Check {
  return defineCheck({
    key: minScoreKey,
    layer: "path",
    metric: "score",
    summary: "The weighted score, 0 to 100, is at least this.",
    limit: z.number().min(0).max(100),
    evaluate(context, limit) {
      const score = scoreOf(context, scoring);
      if (score === null) return toolsHidden(context);
      const measure = `score ${shown(score)}, at least ${points(limit)} required (${parts(score)})`;
      if (score.forbidden && context.preset === "evalview" && limit > 0) {
        return violated(0, `a forbidden tool was called: score 0 instead of ${shown(score)}`);
      }
      if (isAtLeast(score.low, limit)) return pass(score.value, measure);
      if (!isAtLeast(score.high, limit)) return violated(score.value, measure);
      return undecided(context, measure, score);
    },
  });
}

function undecided({ outputQuality }: CheckContext, measure: string, { low }: Score): Finding {
  if (outputQuality === "failed") return skip("a check failed before output quality was judged", low);
  if (outputQuality === "off") return skip(`${judgesAreOff}, and the score includes a judge's rating`);
  return {
    outcome: "incomplete",
    value: null,
    message: `${measure}; output quality is unknown`,
    missing: ["output_quality"],
    remedy:
      "Let a judge rate the output: set the judge's API key, or judge_config.model. Or set weights.output_quality to 0.",
  };
}

function shown({ value, low, high }: Score): string {
  return value === null ? `${points(low)} to ${points(high)}` : points(value);
}

function parts({ toolAccuracy, sequence, quality }: Score): string {
  const output = quality === null ? "" : `, output quality ${points(quality)} of 100`;
  return `tool accuracy ${share(toolAccuracy)}, sequence ${share(sequence)}${output}`;
}

function points(value: number): string {
  return String(Math.round(value * 10) / 10);
}
