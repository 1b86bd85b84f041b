import type { ReadingShare } from "../../receive/dump/reading-share.ts";
import { type SharedIndex, TraceEnds, TraceIndex } from "../../receive/dump/index/trace-index.ts";
import type { WhyLeftOut } from "../../assemble/assembler-counts.ts";
import type { Range } from "./ranges.ts";

/** The part of the dumps that one of several threads reads. */
export interface Share {
  readonly reading: ReadingShare;
  /** Returns the reason to ignore a row; undefined if the row belongs to a trace of this share. */
  readonly whyLeftOut: WhyLeftOut;
  readonly ends: TraceEnds;
  /** Returns the number of a trace by its id. */
  readonly numberOf: (traceId: string) => number;
  /** Returns why several threads cannot read the dumps; undefined if they can. */
  readonly spoiled: () => string | undefined;
}

const MANY_LINES = "not every record of a file is on its own line";
const UNINDEXED = "the trace ids have a form that cannot be indexed";

/** Returns the part of the dumps with the traces that begin in a range. */
export function shareOfRange(shared: SharedIndex, range: Range, cuttable: readonly boolean[]): Share {
  const { from, to, firstTrace, endTrace } = range;
  const numbers = new Uint32Array(endTrace - firstTrace).map((_, at) => firstTrace + at);
  const ends = new TraceEnds(new TraceIndex(shared), numbers);
  const end = Math.max(to, ends.end);
  return share(shared, cuttable, ends, {
    isOwn: (number) => number >= firstTrace && number < endTrace,
    owns: (position) => position >= from && position < to,
    wants: (start, stop) => stop >= from && start <= end,
  });
}

/**
 * Returns the part of the dumps with the given traces. Invalid records in this part are not reported, because the workers have already
 * reported them.
 */
export function shareOfTraces(
  shared: SharedIndex,
  numbers: Uint32Array,
  cuttable: readonly boolean[],
): Share {
  const index = new TraceIndex(shared);
  const own = new Uint8Array(shared.traces);
  for (const number of numbers) own[number] = 1;
  const ranges = rangesOf(shared, index, numbers);
  let at = 0;
  return share(shared, cuttable, new TraceEnds(index, numbers), {
    isOwn: (number) => own[number] === 1,
    owns: () => false,
    wants: (start, stop) => {
      for (let one = ranges[at]; one !== undefined && one.to < start; one = ranges[at]) at++;
      const next = ranges[at];
      return next !== undefined && next.from <= stop;
    },
  });
}

/**
 * Returns the byte ranges that contain the traces, merged and sorted. Each range begins at a mark, which is a position where a reader can
 * begin.
 */
function rangesOf(
  { marks }: SharedIndex,
  index: TraceIndex,
  numbers: Uint32Array,
): readonly { readonly from: number; readonly to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  let mark = 0;
  for (const number of numbers.toSorted()) {
    while ((marks[mark + 1]?.traces ?? Infinity) <= number) mark++;
    const from = marks[mark]?.position ?? 0;
    const to = index.lastOf(number);
    const before = ranges.at(-1);
    if (before !== undefined && from <= before.to) before.to = Math.max(before.to, to);
    else ranges.push({ from, to });
  }
  return ranges;
}

interface Kind {
  readonly isOwn: (number: number) => boolean;
  readonly owns: (position: number) => boolean;
  readonly wants: (from: number, to: number) => boolean;
}

function share(
  shared: SharedIndex,
  cuttable: readonly boolean[],
  ends: TraceEnds,
  { isOwn, owns, wants }: Kind,
): Share {
  const index = new TraceIndex(shared);
  let spoiled: string | undefined;
  return {
    ends,
    reading: {
      owns,
      wants,
      mayPass: (file) => cuttable[file] === true,
      spoiled: () => void (spoiled ??= MANY_LINES),
    },
    whyLeftOut(rows, at) {
      const number = index.numberOf(rows, at);
      // Log records without a trace id are not in the index. Each worker counts those in its own part.
      if (number < 0 && isNamed(rows, at)) spoiled ??= UNINDEXED;
      return number >= 0 && !isOwn(number) ? "relinquished" : undefined;
    },
    numberOf: (traceId) => index.numberOf(wordsOf(traceId), 0),
    spoiled: () => spoiled,
  };
}

function isNamed(rows: Int32Array, at: number): boolean {
  return ((rows[at] ?? 0) | (rows[at + 1] ?? 0) | (rows[at + 2] ?? 0) | (rows[at + 3] ?? 0)) !== 0;
}

function wordsOf(traceId: string): Int32Array {
  const bytes = Buffer.from(traceId, "hex");
  return Int32Array.from({ length: 4 }, (_, at) => bytes.readInt32LE(4 * at));
}
