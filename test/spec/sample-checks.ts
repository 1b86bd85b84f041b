import { z } from "zod";
import { defineCheck, type Check } from "../../src/evaluate/checks/check.ts";
import type { Layer } from "../../src/model/outcome.ts";
import { patternText } from "../../src/model/patterns/pattern-text.ts";

const share = z.number().min(0).max(1);
const count = z.int().min(0);
const texts = z.array(z.string());
const rubric = z.strictObject({
  rule: z.string(),
  threshold: share.exactOptional(),
  scale: z.array(z.string()).exactOptional(),
});

function sample<Limit>(
  layer: Layer,
  key: string,
  limit: z.ZodType<Limit>,
  extra: Partial<Check<Limit>> = {},
): Check {
  return defineCheck({
    key,
    layer,
    metric: key,
    summary: `${key} holds`,
    limit,
    undoable: true,
    evaluate: () => ({ outcome: "skip", value: null, message: "not evaluated in these tests" }),
    ...extra,
  });
}

/** A small language to test the spec's own rules with, so that a new check does not change these tests. */
export const sampleChecks: readonly Check[] = [
  sample("correctness", "expected_in_answer", texts),
  sample("correctness", "not_in_answer", texts),
  sample("correctness", "exact_match", z.string()),
  sample("correctness", "regex_match", patternText),
  sample("correctness", "json_schema", z.record(z.string(), z.json())),
  sample("correctness", "llm_judge", z.array(rubric), { judged: true }),
  sample("correctness", "hallucination_check", rubric, { judged: true }),
  sample("path", "max_tool_calls", count),
  sample("path", "expected_tools", texts),
  sample("path", "forbidden_tools", texts),
  sample("path", "max_loops", count),
  sample("path", "match_mode", z.enum(["strict", "unordered", "subset", "superset", "contains"])),
  sample("path", "min_tool_recall", share),
  sample("path", "sequence_metric", z.enum(["lcs", "edit"]), { qualifier: true }),
  sample("path", "expected_handoff", z.string()),
  sample(
    "path",
    "expected_tool_calls",
    z.array(z.strictObject({ name: z.string(), arguments: z.json().exactOptional() })),
  ),
  sample(
    "path",
    "expected_steps",
    z.array(z.union([z.string(), z.strictObject({ tool: z.string(), weight: z.number().exactOptional() })])),
  ),
  sample("cost", "max_cost_multiplier", z.number().positive()),
  sample("cost", "max_total_tokens", count),
  sample("cost", "max_llm_calls", count),
  sample("cost", "max_latency_ms", z.number().min(0)),
  sample("cost", "max_cost_usd", z.number().min(0)),
];
