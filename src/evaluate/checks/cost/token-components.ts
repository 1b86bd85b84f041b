import { z } from "zod";
import { skillEfficiency, tokenEfficiency, tokensOf } from "../../metrics/token-components.ts";
import { incomplete } from "../../result/finding.ts";
import { grouped } from "../../rules/text.ts";
import type { Check, CheckContext } from "../check.ts";
import { rootSpan } from "../correctness/answer.ts";
import { fraction, limitCheck, shared, wholeNumber } from "../limit-check.ts";

type Measured = ReturnType<Parameters<typeof limitCheck>[0]["measured"]>;

/** Measures the tokens for skill prompts and tool schemas, which the root span reports. */
function measured(
  name: string,
  measure: (skill: number | null, schema: number | null) => number | null,
  texts: Pick<Measured, "shown" | "shownLimit"> = { shown: shared(name) },
): () => Measured {
  return () => ({
    ...texts,
    measure: ({ run }: CheckContext) =>
      measure(tokensOf(run.attributes, "skill_prompt"), tokensOf(run.attributes, "tool_schema")) ??
      incomplete("token_components", `${name} is unknown`, run),
    proof: rootSpan,
  });
}

/**
 * Checks for ProjectScylla's `schema_overhead`, `skill_efficiency` and `token_efficiency_ratio`. Without skill tokens, ProjectScylla's
 * ratio is infinite; here the check is `incomplete`.
 */
export const tokenComponentChecks: readonly Check[] = [
  limitCheck({
    key: "max_schema_overhead",
    layer: "cost",
    metric: "schema_overhead",
    summary: "At most this many tokens for tool schemas.",
    details: "From the root span's `tracejury.tokens.tool_schema`.",
    limit: wholeNumber,
    bound: "at most",
    measured: measured("schema overhead", (_, schema) => schema, {
      shown: (value) => `schema overhead ${grouped(value)}`,
      shownLimit: grouped,
    }),
  }),
  limitCheck({
    key: "min_skill_efficiency",
    layer: "cost",
    metric: "skill_efficiency",
    summary:
      "The tokens for skill prompts, divided by the tokens for skill prompts and tool schemas together, are at least this share.",
    details:
      "The share is 0 if both numbers are 0. From the root span's `tracejury.tokens.skill_prompt` and `tracejury.tokens.tool_schema`.",
    limit: fraction,
    bound: "at least",
    measured: measured("skill efficiency", skillEfficiency),
  }),
  limitCheck({
    key: "max_token_efficiency",
    layer: "cost",
    metric: "token_efficiency",
    summary: "The tokens for tool schemas, divided by the tokens for skill prompts, are at most this ratio.",
    details:
      "From the same attributes as `min_skill_efficiency`. `incomplete` if an attribute is missing, or skill prompts have 0 tokens.",
    limit: z.number().min(0),
    bound: "at most",
    measured: measured("ratio of tool schema tokens to skill tokens", tokenEfficiency),
  }),
];
