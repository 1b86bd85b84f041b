import { isAtLeast, isAtMost } from "../../../support/structures/compare-limit.ts";
import { z } from "zod";
import { type Check, defineCheck } from "../check.ts";
import { incomplete, pass, violated } from "../../result/finding.ts";
import { skillEfficiency, tokenEfficiency, tokensOf } from "../../metrics/token-components.ts";
import type { AgentRun } from "../../../model/run.ts";
import { grouped, share } from "../../rules/text.ts";

interface Rule {
  readonly key: string;
  readonly metric: string;
  readonly summary: string;
  readonly details: string;
  readonly limit: z.ZodType<number>;
  readonly name: string;
  readonly measure: (skill: number | null, schema: number | null) => number | null;
  readonly atLeast?: true;
  readonly shown?: (value: number) => string;
}

/**
 * Creates a check of the tokens for tool schemas and skill prompts, from attributes of the root span. A value equal to the limit passes.
 */
function componentCheck({
  key,
  metric,
  summary,
  details,
  limit,
  name,
  measure,
  atLeast,
  shown = share,
}: Rule): Check {
  return defineCheck({
    key,
    layer: "cost",
    metric,
    summary,
    details,
    limit,
    evaluate({ run }, bar) {
      const value = measured(run, measure);
      if (value === null) {
        return incomplete("token_components", `${name} is unknown`, run);
      }
      const holds = atLeast === true ? isAtLeast(value, bar) : isAtMost(value, bar);
      const wanted = atLeast === true ? `at least ${shown(bar)} required` : `at most ${shown(bar)} allowed`;
      const message = `${name} ${shown(value)}, ${wanted}`;
      return holds ? pass(value, message) : violated(value, message, [run.rootSpanId]);
    },
  });
}

function measured({ attributes }: AgentRun, measure: Rule["measure"]): number | null {
  return measure(tokensOf(attributes, "skill_prompt"), tokensOf(attributes, "tool_schema"));
}

/** Check for ProjectScylla's `schema_overhead`. */
export const maxSchemaOverhead = componentCheck({
  key: "max_schema_overhead",
  metric: "schema_overhead",
  summary: "At most this many tokens for tool schemas.",
  details: "From the root span's `tracejury.tokens.tool_schema`.",
  limit: z.int().min(0),
  name: "schema overhead",
  measure: (_, schema) => schema,
  shown: grouped,
});

/** Check for ProjectScylla's `skill_efficiency`. */
export const minSkillEfficiency = componentCheck({
  key: "min_skill_efficiency",
  metric: "skill_efficiency",
  summary:
    "The share skill / (skill + schema) of the tokens for skill prompts and tool schemas is at least this.",
  details:
    "0 if skill tokens and schema tokens are both 0. From the root span's `tracejury.tokens.skill_prompt` and `tracejury.tokens.tool_schema`.",
  limit: z.number().min(0).max(1),
  name: "skill efficiency",
  measure: skillEfficiency,
  atLeast: true,
});

/** Check for ProjectScylla's `token_efficiency_ratio`, which is infinite in ProjectScylla without skill tokens. */
export const maxTokenEfficiency = componentCheck({
  key: "max_token_efficiency",
  metric: "token_efficiency",
  summary: "The ratio schema / skill of the tokens for tool schemas and skill prompts is at most this.",
  details:
    "From the same attributes as `min_skill_efficiency`. `incomplete` if an attribute is missing, or skill prompts have 0 tokens.",
  limit: z.number().min(0),
  name: "ratio of tool schema tokens to skill tokens",
  measure: tokenEfficiency,
});
