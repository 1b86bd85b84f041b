import type { Mark } from "../../receive/dump/index/trace-index.ts";

/** Share of one worker: traces that begin in a range of the dumps, read to their end. */
export interface Range {
  /** Bytes over all files; the end is that of the next range's beginning. */
  readonly from: number;
  readonly to: number;
  /** Numbers of traces. */
  readonly firstTrace: number;
  readonly endTrace: number;
}

/**
 * Divides dumps into ranges of about the same length, at most so many. They begin where the index has a mark: at a file's beginning, or in a
 * file that can be cut.
 */
export function rangesOf(
  marks: readonly Mark[],
  canCut: (mark: Mark) => boolean,
  whole: { readonly bytes: number; readonly traces: number },
  most: number,
): Range[] {
  const cuts: Mark[] = [];
  for (const mark of marks) {
    const wanted = (whole.bytes * (cuts.length + 1)) / most;
    if (cuts.length + 1 < most && mark.position >= wanted && canCut(mark)) cuts.push(mark);
  }
  return [undefined, ...cuts].map((cut, at) => ({
    from: cut?.position ?? 0,
    to: cuts[at]?.position ?? Infinity,
    firstTrace: cut?.traces ?? 0,
    endTrace: cuts[at]?.traces ?? whole.traces,
  }));
}
