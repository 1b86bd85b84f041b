import { isAtLeast, isAtMost } from "../../../support/structures/compare-limit.ts";
import { withEntries } from "../../../support/structures/with-entries.ts";
import { z } from "zod";
import { type CheckContext, defineCheck, type Finding } from "../check.ts";
import { fraction } from "../limit-check.ts";
import { rootSpan } from "../correctness/answer.ts";
import { incomplete, pass, violated } from "../../result/finding.ts";
import { type TokenPart, tokenParts, tokenShare, tokensOfPart } from "../../metrics/token-components.ts";
import { plausibleTokens } from "../../quantities/run-quantities.ts";
import { listed, share } from "../../rules/text.ts";

const bounds = z
  .union([
    fraction.describe("Largest share"),
    withEntries(
      z.strictObject({
        min: fraction.describe("Smallest share").exactOptional(),
        max: fraction.describe("Largest share").exactOptional(),
      }),
      "`min` or `max`",
    ),
  ])
  .refine((written) => typeof written === "number" || (written.min ?? 0) <= (written.max ?? 1), {
    message: "`min` is above `max`",
  });
const rule = withEntries(
  z.strictObject(
    Object.fromEntries(tokenParts.map((part) => [part, bounds.exactOptional()])) as Record<
      TokenPart,
      z.ZodExactOptional<typeof bounds>
    >,
  ),
  "a part",
);

/** Share of one part in a run's tokens, and its limits. The share is null if unknown. */
interface Measure {
  readonly part: TokenPart;
  readonly value: number | null;
  readonly min: number;
  readonly max: number;
}

/** Check for ProjectScylla's token components as shares of all tokens, from 0 to 1. A share equal to a limit passes. */
export const tokenShares = defineCheck({
  key: "token_shares",
  layer: "cost",
  metric: "token_shares_missed",
  summary: "The share of each named part in all tokens is at most its limit, or between `min` and `max`.",
  details:
    "Model calls report input, output, cached, cache-write and reasoning tokens; the root span's attributes `tracejury.tokens.<part>` report all other parts, and can report reasoning tokens. The result's `value` is the number of parts outside their limits.",
  limit: rule,
  evaluate(context, limit) {
    const measures = tokenParts.flatMap((part) => measureOf(context, part, limit[part]));
    const wrong = measures.filter(
      ({ value, min, max }) => value !== null && (!isAtLeast(value, min) || !isAtMost(value, max)),
    );
    if (wrong.length > 0) {
      const faults = wrong.map(({ part }) => part);
      return violated(wrong.length, listed(wrong.map(sentenceOf)), { ...rootSpan(context), faults });
    }
    const unknown = measures.filter(({ value }) => value === null).map(({ part }) => part);
    if (unknown.length > 0) return hidden(context, unknown);
    return pass(0, `the shares of ${measures.map(({ part }) => part).join(", ")} are within their limits`);
  },
});

function measureOf(
  { run, metrics }: CheckContext,
  part: TokenPart,
  written: z.infer<typeof bounds> | undefined,
): readonly Measure[] {
  if (written === undefined) return [];
  const { min = 0, max = 1 } = typeof written === "number" ? { max: written } : written;
  return [
    { part, value: tokenShare(plausibleTokens(tokensOfPart(run, part)), metrics.totalTokens), min, max },
  ];
}

function sentenceOf({ part, value, min, max }: Measure): string {
  const known = value ?? 0;
  const isEnough = isAtLeast(known, min);
  const limit = isEnough ? max : min;
  const bound = isEnough ? `at most ${share(max, known)} allowed` : `at least ${share(min, known)} required`;
  return `${part} is ${share(known, limit)} of all tokens, ${bound}`;
}

function hidden({ run, metrics }: CheckContext, parts: readonly TokenPart[]): Finding {
  const field =
    metrics.totalTokens === null || parts.some((part) => isUsage(part)) ? "usage" : "token_components";
  return incomplete(field, `the number of tokens for ${listed(parts)} is unknown`, run);
}

function isUsage(part: TokenPart): boolean {
  return part === "input" || part === "output" || part === "cached" || part === "cache_write";
}
