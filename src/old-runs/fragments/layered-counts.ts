import type { SpanNode } from "../span/span-node.ts";
import type { TokenCounts } from "../span/read-usage.ts";

/**
 * The counts of one call that several layers show, the innermost first: each field from the first that has it. Input, output and total
 * are of one layer, since layers differ in what they include. `first`: the innermost that counts.
 */
export function layeredCounts(first: SpanNode, layers: readonly SpanNode[]): TokenCounts {
  const merged: TokenCounts = { ...first.counts };
  for (const { counts } of layers) {
    if (merged.input === undefined && merged.output === undefined) merged.total ??= counts.total;
    merged.input ??= counts.input;
    merged.output ??= counts.output;
    merged.cached ??= counts.cached;
    merged.cacheWrite ??= counts.cacheWrite;
    merged.shortCacheWrite ??= counts.shortCacheWrite;
    merged.longCacheWrite ??= counts.longCacheWrite;
    merged.reasoning ??= counts.reasoning;
  }
  return merged;
}

/** The innermost layer that counts anything. */
export function countingLayer(layers: readonly SpanNode[]): SpanNode | undefined {
  return layers.find(({ counts }) => isCounting(counts));
}

/** A layer that counts nothing in and nothing out was not given the usage. */
function isCounting({ input = 0, output = 0 }: TokenCounts): boolean {
  return input > 0 || output > 0;
}
