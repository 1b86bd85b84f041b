import type { Usage } from "../../model/run.ts";
import { furtherCounts } from "../facts/field-plan.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { countsInLine, findCounts, readCounts, TokenCounts } from "../notations/usage.ts";

export const unknownUsage: Usage = {
  input: null,
  output: null,
  cached: null,
  cacheWrite: null,
  reasoning: null,
};

/**
 * Matches providers whose output count excludes reasoning tokens. For other providers, a total above input plus output may mean that cached
 * input is excluded.
 */
const omitsThoughts = /google|gemini|vertex|gcp/i;

/** Largest token count. A larger number is a time or an id in the wrong attribute. */
const MOST_TOKENS = 1e10;

/** Returns the token counts that the span reports, without negative or implausibly large numbers. */
export function countsOf(facts: SpanFacts): TokenCounts {
  const counts = new TokenCounts();
  counts.input = plausible(facts.inputTokens);
  counts.output = plausible(facts.outputTokens);
  const { derive } = facts.dialects;
  if (facts.hasField(F.totalTokens)) counts.total = plausible(facts.numberAt(F.totalTokens));
  if (facts.hasField(F.cachedTokens) || derive?.[F.cachedTokens] !== undefined)
    counts.cached = plausible(facts.numberAt(F.cachedTokens));
  if (facts.hasField(F.cacheWriteTokens) || derive?.[F.cacheWriteTokens] !== undefined)
    counts.cacheWrite = plausible(facts.numberAt(F.cacheWriteTokens));
  if (facts.hasField(F.reasoningTokens) || derive?.[F.reasoningTokens] !== undefined)
    counts.reasoning = plausible(facts.numberAt(F.reasoningTokens));
  if (facts.hasField(F.usage)) fill(counts, readCounts(facts.valueAt(F.usage)));
  if (facts.role === "call") {
    if (counts.input === undefined && counts.output === undefined) {
      const found =
        (facts.hasField(F.output) ? findCounts(facts.valueAt(F.output)) : undefined) ??
        (facts.hasField(F.outputMessages) ? findCounts(facts.valueAt(F.outputMessages)) : undefined) ??
        (facts.hasField(F.metadata) ? findCounts(facts.valueAt(F.metadata)) : undefined);
      if (found !== undefined) fill(counts, found);
    }
    for (const log of facts.span.logs)
      if (typeof log.body === "string" && log.body.length < 4000) {
        const lineCounts = countsInLine(log.body);
        if (lineCounts !== undefined) fill(counts, lineCounts);
      }
  }
  if (counts.cacheWrite !== undefined)
    counts.longCacheWrite ??= plausible(facts.numberAt(F.longCacheWriteTokens));
  return counts;
}

function plausible(count: number | null | undefined): number | undefined {
  return count === null || count === undefined || !(count >= 0 && count <= MOST_TOKENS) ? undefined : count;
}

/** Whether a span reports a negative or implausibly large count. */
export function hasImplausibleCount(facts: SpanFacts): boolean {
  const counts = [facts.inputTokens, facts.outputTokens];
  if (facts.isInferred || facts.plan.isCountingMore)
    for (const field of furtherCounts) counts.push(facts.numberAt(field));
  for (const count of counts) if (count !== null && !(count >= 0 && count <= MOST_TOKENS)) return true;
  return false;
}

export function fill(counts: TokenCounts, more: TokenCounts): void {
  if (more.input !== undefined) counts.input ??= plausible(more.input);
  if (more.output !== undefined) counts.output ??= plausible(more.output);
  if (more.total !== undefined) counts.total ??= plausible(more.total);
  if (more.cached !== undefined) counts.cached ??= plausible(more.cached);
  if (more.cacheWrite !== undefined) counts.cacheWrite ??= plausible(more.cacheWrite);
  if (more.shortCacheWrite !== undefined) counts.shortCacheWrite ??= plausible(more.shortCacheWrite);
  if (more.longCacheWrite !== undefined) counts.longCacheWrite ??= plausible(more.longCacheWrite);
  if (more.reasoning !== undefined) counts.reasoning ??= plausible(more.reasoning);
}

/**
 * Returns usage in which the input includes cached tokens and the output includes reasoning tokens, for any producer. `facts`: the span
 * whose counts are used.
 */
export function inclusiveUsage(counts: TokenCounts, facts: SpanFacts): Usage {
  const { input, output, total } = counts;
  const written = cacheWriteOf(counts);
  const cached = (counts.cached ?? 0) + (written ?? 0);
  const reasoning = counts.reasoning ?? 0;
  let [cachedApart, reasoningApart, isEstimate] = [false, false, false];
  for (const adapter of facts.dialects.withHabits) {
    const apart = adapter.apart?.(facts);
    cachedApart ||= apart?.cached === true;
    reasoningApart ||= apart?.reasoning === true;
    isEstimate ||= apart?.isEstimate === true;
  }
  const isCachedApart = leavesOut(input, output, cached, reasoning, total, cachedApart, true);
  const isReasoningApart = leavesOut(output, input, reasoning, cached, total, reasoningApart, false);
  const all = input === undefined ? null : input + (isCachedApart ? cached : 0);
  const made = output === undefined ? null : output + (isReasoningApart ? reasoning : 0);
  // The part of a reported total that neither the input nor the output count includes: reasoning tokens, or tokens from a cache.
  const beyondBoth =
    total === undefined || all === null || made === null ? 0 : Math.max(0, total - all - made);
  // For a streamed call, some producers add the output of all chunks to the total a second time. A difference equal to the output is
  // therefore ignored.
  const excess = beyondBoth === made && counts.reasoning === undefined ? 0 : beyondBoth;
  const isUntold =
    excess > 0 &&
    counts.cached === undefined &&
    counts.reasoning === undefined &&
    !omitsThoughts.test(facts.textAt(F.provider) ?? facts.requestModel ?? facts.model ?? "");
  return {
    input: isUntold || isEstimate ? null : all,
    output: isUntold || made === null ? null : made + excess,
    cached: counts.cached ?? null,
    cacheWrite: written ?? null,
    longCacheWrite: counts.longCacheWrite ?? null,
    reasoning: counts.reasoning ?? null,
  };
}

/**
 * Whether `count` excludes `part`. Evidence: `part` is larger than `count`, the reported total equals the sum with `part`, or the producer
 * is known to exclude it (`habit`).
 */
function leavesOut(
  count: number | undefined,
  other: number | undefined,
  part: number,
  otherPart: number,
  total: number | undefined,
  habit: boolean,
  believesHabit: boolean,
): boolean {
  if (count === undefined || part === 0) return false;
  if (part > count) return true;
  if (total !== undefined && other !== undefined) {
    if (total === count + other) return believesHabit && habit;
    if (total === count + other + part || total === count + other + part + otherPart) return true;
  }
  return habit;
}

/**
 * Tokens written to the cache: the reported count, but at least the sum of its parts. Some producers exclude tokens with a lifetime of five
 * minutes or one hour from the reported count.
 */
function cacheWriteOf({ cacheWrite, shortCacheWrite, longCacheWrite }: TokenCounts): number | undefined {
  const parts = (shortCacheWrite ?? 0) + (longCacheWrite ?? 0);
  return parts > (cacheWrite ?? 0) ? parts : cacheWrite;
}

/** Returns the difference between a sum of usages and an earlier sum. */
export function usageBeyond(sum: Usage, earlier: Usage): Usage {
  return {
    input: beyond(sum.input, earlier.input),
    output: beyond(sum.output, earlier.output),
    cached: beyond(sum.cached, earlier.cached),
    cacheWrite: beyond(sum.cacheWrite, earlier.cacheWrite),
    longCacheWrite: beyond(sum.longCacheWrite ?? null, earlier.longCacheWrite ?? null),
    reasoning: beyond(sum.reasoning, earlier.reasoning),
  };
}

function beyond(all: number | null, known: number | null): number | null {
  return all === null ? null : Math.max(0, all - (known ?? 0));
}

/**
 * Returns the sum of usages. If a call lacks its input (output) count, the sum of input (output) is unknown. Cached, cache-write and
 * reasoning tokens are parts of these counts. A call that omits a part adds nothing to the part's sum, because many producers omit zeros. A
 * part's sum is unknown if the input (output) sum is unknown, or if one call reports zero and another omits the part.
 */
export function sumUsage(usages: readonly Usage[]): Usage {
  const input = total(usages, "input");
  const output = total(usages, "output");
  return {
    input,
    output,
    cached: input === null ? null : knownSum(usages, "cached"),
    cacheWrite: input === null ? null : knownSum(usages, "cacheWrite"),
    longCacheWrite: input === null ? null : knownSum(usages, "longCacheWrite"),
    reasoning: output === null ? null : knownSum(usages, "reasoning"),
  };
}

function total(usages: readonly Usage[], part: "input" | "output"): number | null {
  let sum = 0;
  for (const usage of usages) {
    const number = usage[part];
    if (number === null) return null;
    sum += number;
  }
  return sum;
}

function knownSum(usages: readonly Usage[], part: keyof Usage): number | null {
  let sum: number | null = null;
  let isZeroSaid = false;
  let isSilent = false;
  for (const usage of usages) {
    const number = usage[part] ?? null;
    if (number === null) isSilent = true;
    else {
      sum = (sum ?? 0) + number;
      if (number === 0) isZeroSaid = true;
    }
  }
  return isZeroSaid && isSilent ? null : sum;
}
