import type { CheckResult, LayerResult, Verdict } from "../../model/verdict.ts";
import { verdictJson, verdictJsonText } from "../../report/json/verdict-json.ts";
import type { CheckJson, LayerJson } from "../../report/json/verdict-schema.ts";
import { explainCheck, explainLayer } from "../records/explanation.ts";

/**
 * Returns a verdict's JSON for webhooks. With `content`, the JSON is the same as in the verdict file. Without `content`, all texts of the
 * run and of judges are removed.
 */
export function webhookVerdict(verdict: Verdict, content: boolean): string {
  if (content) return verdictJsonText(verdict);
  const json = verdictJson(verdict);
  const { correctness, path, cost } = verdict.layers;
  return JSON.stringify({
    ...json,
    query: null,
    answer: null,
    error: json.error === null ? null : "the run ended in an error",
    layers: {
      correctness: ruleOnly(json.layers.correctness, correctness),
      path: ruleOnly(json.layers.path, path),
      cost: ruleOnly(json.layers.cost, cost),
    },
  });
}

function ruleOnly(json: LayerJson, layer: LayerResult): LayerJson {
  return {
    ...json,
    reason: explainLayer(layer, false),
    checks: json.checks.map((check, at) => {
      const result = layer.checks[at];
      return result === undefined ? check : checkRuleOnly(check, result);
    }),
  };
}

function checkRuleOnly(json: CheckJson, check: CheckResult): CheckJson {
  const isMeasure = typeof check.value === "number" || typeof check.value === "boolean";
  const { faults: _, ...rest } = json;
  return {
    ...rest,
    value: isMeasure ? json.value : null,
    message: explainCheck(check, false),
    judge: json.judge && {
      ...json.judge,
      rationale: null,
      votes: json.judge.votes.map((vote) => ({ ...vote, rationale: null })),
    },
  };
}
