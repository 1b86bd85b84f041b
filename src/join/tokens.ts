import type { Call } from "../adapt/call.ts";
import type { Piece } from "../adapt/piece.ts";
import { findCounts, type TokenCounts } from "../adapt/read-usage.ts";
import type { Usage } from "../model/run.ts";

export const unknownUsage: Usage = {
  input: null,
  output: null,
  cached: null,
  cacheWrite: null,
  reasoning: null,
};

/** One call's tokens: cached ones in the input, reasoning in the output, whatever the producer's habit. */
export function usageOf(call: Call): Usage {
  return call.once(readUsage);
}

function readUsage(call: Call): Usage {
  const { counts } = call;
  if (isFalseZero(call, counts)) return unknownUsage;
  const mayTellMore = call.piece.has("output") || call.mayBeKnown;
  return inclusive(counts, habits(call.piece), mayTellMore ? () => details(call) : undefined);
}

/** The tokens that an agent's own span adds up to. */
export function pieceUsage(piece: Piece): Usage {
  return inclusive(piece.counts, habits(piece), undefined);
}

function inclusive(
  counts: TokenCounts,
  apart: { cached: boolean; reasoning: boolean },
  more: (() => TokenCounts | undefined) | undefined,
): Usage {
  const { input, output } = counts;
  const written = cacheWriteOf(counts);
  const cached = (counts.cached ?? 0) + (written ?? 0);
  const reasoning = counts.reasoning ?? 0;
  const whole = {
    input:
      input === undefined
        ? null
        : input + (leavesOutCached(counts, cached, reasoning, apart.cached) ? cached : 0),
    output:
      output === undefined
        ? null
        : output + (leavesOutReasoning(counts, reasoning, cached, apart.reasoning) ? reasoning : 0),
    cached: counts.cached ?? null,
    cacheWrite: written ?? null,
    longCacheWrite: counts.longCacheWrite ?? null,
    reasoning: counts.reasoning ?? null,
  };
  if (more === undefined) return whole;
  return {
    ...whole,
    get cached() {
      return whole.cached ?? more()?.cached ?? null;
    },
    get longCacheWrite() {
      return (
        whole.longCacheWrite ??
        (written === undefined || written === 0 ? null : more()?.longCacheWrite) ??
        null
      );
    },
    get reasoning() {
      return whole.reasoning ?? more()?.reasoning ?? null;
    },
  };
}

/** Some count as written only what is kept neither for five minutes nor for an hour. */
function cacheWriteOf({ cacheWrite, shortCacheWrite, longCacheWrite }: TokenCounts): number | undefined {
  const parts = (shortCacheWrite ?? 0) + (longCacheWrite ?? 0);
  return parts > (cacheWrite ?? 0) ? parts : cacheWrite;
}

/** Counts that the call's span leaves out, in the response that it kept or in the framework's state. */
function details(call: Call): TokenCounts | undefined {
  const own = call.piece.has("output") ? findCounts(call.piece.json("output")) : undefined;
  const found = own ?? call.known?.counts;
  return found !== undefined && found.input === call.counts.input ? found : undefined;
}

/** A streamed call whose usage nobody reported: nothing in, nothing out, and yet an answer. */
function isFalseZero(call: Call, counts: TokenCounts): boolean {
  return counts.input === 0 && (counts.output ?? 0) === 0 && call.failure === null;
}

function habits({ reading }: Piece): { cached: boolean; reasoning: boolean } {
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

/** The run's tokens: one call without a number makes the sum unknown; parts that many leave out when zero are summed. */
export function sumUsage(usages: readonly Usage[]): Usage {
  return {
    input: total(usages.map((usage) => usage.input)),
    output: total(usages.map((usage) => usage.output)),
    get cached() {
      return known(usages.map((usage) => usage.cached));
    },
    cacheWrite: known(usages.map((usage) => usage.cacheWrite)),
    get longCacheWrite() {
      return known(usages.map((usage) => usage.longCacheWrite ?? null));
    },
    get reasoning() {
      return known(usages.map((usage) => usage.reasoning));
    },
  };
}

function total(numbers: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const number of numbers) {
    if (number === null) return null;
    sum += number;
  }
  return sum;
}

function known(numbers: readonly (number | null)[]): number | null {
  const given = numbers.filter((number) => number !== null);
  return given.length === 0 ? null : given.reduce((sum, number) => sum + number, 0);
}
