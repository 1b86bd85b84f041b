import type { SpanSource } from "../span/span-source.ts";
import { findCounts, type TokenCounts } from "../span/read-usage.ts";
import type { Usage } from "../../model/run.ts";

/** What a model call's spans say of its tokens. */
interface CountedCall {
  readonly node: SpanSource;
  readonly counts: TokenCounts;
  /** Of several layers the one whose counts these are. */
  readonly counting: SpanSource | undefined;
  readonly failure: string | null;
  /** What the framework's state says of the message that the call returned. */
  readonly known: { readonly counts: TokenCounts } | undefined;
}

export const unknownUsage: Usage = {
  input: null,
  output: null,
  cached: null,
  cacheWrite: null,
  reasoning: null,
};

/** One call's tokens: cached ones in the input, reasoning in the output, whatever the producer's habit. Callers use `LlmCall.usage`. */
export function usageOf(call: CountedCall): Usage {
  const { counts } = call;
  if (isFalseZero(call, counts)) return unknownUsage;
  const usage = inclusive(counts, habits(call.counting ?? call.node));
  const { cached, cacheWrite, reasoning, longCacheWrite = null } = usage;
  const lacksLong = longCacheWrite === null && cacheWrite !== null && cacheWrite !== 0;
  if (cached !== null && reasoning !== null && !lacksLong) return usage;
  const more = details(call);
  if (more === undefined) return usage;
  return {
    ...usage,
    cached: cached ?? more.cached ?? null,
    longCacheWrite: longCacheWrite ?? (lacksLong ? more.longCacheWrite : null) ?? null,
    reasoning: reasoning ?? more.reasoning ?? null,
  };
}

/** What a sum of usages adds to an earlier one of the same calls. */
export function usageBeyond(sum: Usage, earlier: Usage): Usage {
  const beyond = (all: number | null | undefined, known: number | null | undefined): number | null =>
    all === null || all === undefined ? null : Math.max(0, all - (known ?? 0));
  return {
    input: beyond(sum.input, earlier.input),
    output: beyond(sum.output, earlier.output),
    cached: beyond(sum.cached, earlier.cached),
    cacheWrite: beyond(sum.cacheWrite, earlier.cacheWrite),
    longCacheWrite: beyond(sum.longCacheWrite, earlier.longCacheWrite),
    reasoning: beyond(sum.reasoning, earlier.reasoning),
  };
}

/** The tokens that an agent's own span adds up to. */
export function nodeUsage(node: SpanSource): Usage {
  return inclusive(node.counts, habits(node));
}

function inclusive(counts: TokenCounts, apart: { cached: boolean; reasoning: boolean }): Usage {
  const { input, output } = counts;
  const written = cacheWriteOf(counts);
  const cached = (counts.cached ?? 0) + (written ?? 0);
  const reasoning = counts.reasoning ?? 0;
  const isCachedApart = leavesOutCached(counts, cached, reasoning, apart.cached);
  const isReasoningApart = leavesOutReasoning(counts, reasoning, cached, apart.reasoning);
  const all = {
    input: input === undefined ? null : input + (isCachedApart ? cached : 0),
    output: output === undefined ? null : output + (isReasoningApart ? reasoning : 0),
  };
  const excess = excessOf(counts.total, all.input, all.output);
  return {
    input: all.input,
    output: excess === 0 || all.output === null ? all.output : all.output + excess,
    cached: counts.cached ?? null,
    cacheWrite: written ?? null,
    longCacheWrite: counts.longCacheWrite ?? null,
    reasoning: counts.reasoning ?? null,
  };
}

/**
 * What a reported total has beyond input and output: thoughts that the producer counts in neither. A total below the two includes less
 * than they do, and says nothing.
 */
function excessOf(total: number | undefined, input: number | null, output: number | null): number {
  return total === undefined || input === null || output === null ? 0 : Math.max(0, total - input - output);
}

/** Some count as written only what is kept neither for five minutes nor for an hour. */
function cacheWriteOf({ cacheWrite, shortCacheWrite, longCacheWrite }: TokenCounts): number | undefined {
  const parts = (shortCacheWrite ?? 0) + (longCacheWrite ?? 0);
  return parts > (cacheWrite ?? 0) ? parts : cacheWrite;
}

/** Counts that the call's span leaves out, in the response that it kept or in the framework's state. */
function details(call: CountedCall): TokenCounts | undefined {
  const own = call.node.has("output") ? findCounts(call.node.json("output")) : undefined;
  const found = own ?? call.known?.counts;
  return found !== undefined && found.input === call.counts.input ? found : undefined;
}

/** A streamed call whose usage nobody reported: nothing in, nothing out, and yet an answer. */
function isFalseZero(call: CountedCall, counts: TokenCounts): boolean {
  return isZero(counts) && call.failure === null;
}

function isZero({ input, output = 0 }: TokenCounts): boolean {
  return input === 0 && output === 0;
}

function habits({ reading }: SpanSource): { cached: boolean; reasoning: boolean } {
  let cached = false;
  let reasoning = false;
  for (const adapter of reading.dialects.withHabits) {
    const apart = adapter.apart?.(reading);
    cached ||= apart?.cached === true;
    reasoning ||= apart?.reasoning === true;
  }
  return { cached, reasoning };
}

function leavesOutCached(
  { input, output, total }: TokenCounts,
  cached: number,
  reasoning: number,
  habit: boolean,
): boolean {
  if (input === undefined || cached === 0) return false;
  if (cached > input) return true;
  if (total !== undefined && output !== undefined) {
    if (total === input + output) return habit;
    if (total === input + output + cached || total === input + output + cached + reasoning) return true;
  }
  return habit;
}

function leavesOutReasoning(
  { input, output, total }: TokenCounts,
  reasoning: number,
  cached: number,
  habit: boolean,
): boolean {
  if (output === undefined || reasoning === 0) return false;
  if (reasoning > output) return true;
  if (total !== undefined && input !== undefined) {
    if (total === input + output) return false;
    if (total === input + output + reasoning || total === input + output + cached + reasoning) return true;
  }
  return habit;
}

/**
 * The run's tokens: one call without a number makes the sum unknown. Of the parts, which many leave out when zero, the known ones are summed,
 * unless their whole is unknown, or one call says zero and another says nothing: a producer that writes zeros leaves out none.
 */
export function sumUsage(usages: readonly Usage[]): Usage {
  const [input, output] = [total(usages, "input"), total(usages, "output")];
  return {
    input,
    output,
    cached: input === null ? null : known(usages, "cached"),
    cacheWrite: input === null ? null : known(usages, "cacheWrite"),
    longCacheWrite: input === null ? null : known(usages, "longCacheWrite"),
    reasoning: output === null ? null : known(usages, "reasoning"),
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

function known(usages: readonly Usage[], part: keyof Usage): number | null {
  let sum: number | null = null;
  let [isZeroSaid, isSilent] = [false, false];
  for (const usage of usages) {
    const number = usage[part] ?? null;
    if (number === null) isSilent = true;
    else sum = (sum ?? 0) + number;
    if (number === 0) isZeroSaid = true;
  }
  return isZeroSaid && isSilent ? null : sum;
}
