import type { Mark } from "../../receive/dump/index/trace-index.ts";

/** A range of the dumps. A worker replays the traces that begin in the range, and reads them to their end, which may be after the range. */
export interface Range {
  /** Offsets in bytes, as if all files were joined into one. `to` is the start of the next range; Infinity for the last range. */
  readonly from: number;
  readonly to: number;
  /** Number of the first trace. */
  readonly firstTrace: number;
  readonly endTrace: number;
}

/**
 * Divides dumps into at most `most` ranges of similar length. A range begins at the start of a file, or within a file whose records can be
 * skipped.
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
