import { z } from "zod";
import { writtenText } from "../../../support/structures/json-schema.ts";
import { isAtLeast } from "../../../support/structures/compare-limit.ts";
import { rouge1 } from "../../metrics/rouge/rouge-1.ts";
import { pass, violated } from "../../result/finding.ts";
import { share } from "../../rules/text.ts";
import { defineCheck } from "../check.ts";
import { rootSpan, withoutAnswer } from "./answer.ts";

const USUAL_MIN = 0.8;

export const rougeCheck = defineCheck({
  key: "rouge_1",
  layer: "correctness",
  summary: "The ROUGE-1 F-measure of answer and `reference` is at least `min`. Default: 0.8.",
  details:
    "2PR / (P+R), with precision P and recall R of common word stems, in any order: compares wording, not meaning. (ADK's `response_match_score`)",
  limit: z.strictObject({
    reference: writtenText,
    min: z.number().min(0).max(1).exactOptional(),
  }),
  evaluate(context, { reference, min = USUAL_MIN }) {
    const { answer } = context.run;
    if (answer === null) return withoutAnswer(context);
    const value = rouge1(answer, reference);
    const measure = `ROUGE-1 ${share(value, min)}, at least ${share(min, value)} required`;
    if (isAtLeast(value, min)) return pass(value, measure);
    return violated(value, measure, { ...rootSpan(context), faults: [] });
  },
});
