import type { Call } from "../adapt/call.ts";
import type { Piece } from "../adapt/piece.ts";
import { Nearest } from "../adapt/nearest.ts";
import { exceptionsOf } from "../adapt/read-failure.ts";
import type { Message } from "../model/message.ts";
import { withoutTwins } from "./twins.ts";

/**
 * Tells calls that were answered from attempts that failed; calls that left nothing behind (cancelled before they were
 * sent) are dropped, and so are calls that two instrumentations show side by side.
 */
export interface SortedCalls {
  /** Answered, by start. */
  readonly served: readonly Call[];
  /** Attempts that failed, by start. */
  readonly failed: readonly Call[];
  /** Both, by start. */
  readonly all: readonly Call[];
}

export function sortCalls(calls: readonly Call[]): SortedCalls {
  const served: Call[] = [];
  const failed: Call[] = [];
  const failures = new Failures();
  const ordered = isOrdered(calls) ? calls : calls.toSorted((a, b) => a.start - b.start);
  for (const call of ordered) {
    if (isFailed(call, failures)) failed.push(call);
    else if (!isNothing(call)) served.push(call);
  }
  const kept = withoutTwins(served);
  if (failed.length === 0) return { served: kept, failed, all: kept };
  const all = new Set([...kept, ...failed]);
  return { served: kept, failed, all: ordered.filter((one) => all.has(one)) };
}

function isOrdered(calls: readonly Call[]): boolean {
  return calls.every((call, at) => at === 0 || (calls[at - 1]?.start ?? 0) <= call.start);
}

/** A failed call that has output was answered all the same: something after it failed. */
function isFailed(call: Call, failures: Failures): boolean {
  const { failure } = call;
  if (failure === null && call.counts.output !== undefined) return false;
  if (!call.outputs.every(isEmpty) || (call.counts.output ?? 0) !== 0) return false;
  return failure !== null || exceptionsOf(call.piece.span).length > 0 || failures.endedAround(call.piece);
}

/** What failed around calls. */
class Failures {
  readonly #nearest = new Nearest((piece) =>
    piece.role === "tool" || piece.failure !== null ? piece : undefined,
  );
  readonly #lastCalls = new Map<Piece, number>();

  /** Nothing came back, and what is around failed when it ended: some producers note the failure only there. */
  endedAround(piece: Piece): boolean {
    const failed = this.#nearest.of(piece.parent);
    return failed !== undefined && failed.role !== "tool" && this.#lastCallIn(failed) <= piece.end;
  }

  /** When the last of the calls right below a span began. */
  #lastCallIn(piece: Piece): number {
    let last = this.#lastCalls.get(piece);
    if (last === undefined) {
      last = -Infinity;
      for (const { role, start } of piece.children) if (role === "call" && start > last) last = start;
      this.#lastCalls.set(piece, last);
    }
    return last;
  }
}

function isEmpty({ text, calls }: Message): boolean {
  return (text === null || text === "") && calls.length === 0;
}

function isNothing(call: Call): boolean {
  const { reading } = call.piece;
  return (
    !reading.has("requestModel") &&
    !reading.has("responseModel") &&
    !reading.has("model") &&
    call.counts.input === undefined &&
    call.counts.output === undefined &&
    call.inputs.length === 0 &&
    call.outputs.length === 0
  );
}
