import type { LlmCall } from "../calls/llm-call.ts";

interface EmittedCall {
  readonly traceId: string;
  readonly start: number;
  readonly end: number;
  readonly scope: string;
  readonly output: number | undefined;
  readonly responseId: string | null;
}

/** Between this number and twice as many calls of emitted runs are remembered. */
const MOST_CALLS = 2_000;
/** A call and its duplicate overlap, with a tolerance of one millisecond. */
const CLOCK_MS = 1;

/** Model calls of emitted runs. A duplicate from another instrumentation may arrive later in a separate trace. */
export class EmittedCalls {
  #current: EmittedCall[] = [];
  #previous: EmittedCall[] = [];

  add(calls: readonly LlmCall[]): void {
    for (const { start, end, node, counts, responseId } of calls)
      this.#current.push({
        traceId: node.span.traceId,
        start,
        end,
        scope: node.span.scopeName,
        output: counts.output,
        responseId,
      });
    if (this.#current.length < MOST_CALLS) return;
    this.#previous = this.#current;
    this.#current = [];
  }

  /** Whether this call duplicates a call of an emitted run: it has another scope and trace, and an equal response id or an equal time and output. */
  has(call: LlmCall): boolean {
    return isIn(call, this.#current) || isIn(call, this.#previous);
  }
}

function isIn(
  { start, end, node, counts: { output }, responseId }: LlmCall,
  calls: readonly EmittedCall[],
): boolean {
  const { scopeName, traceId } = node.span;
  for (let at = calls.length - 1; at >= 0; at--) {
    const one = calls[at] as EmittedCall;
    if (one.scope === scopeName || one.traceId === traceId) continue;
    if (responseId !== null && one.responseId === responseId) return true;
    const isWithin = start >= one.start - CLOCK_MS && end <= one.end + CLOCK_MS;
    const isAround = start <= one.start + CLOCK_MS && end >= one.end - CLOCK_MS;
    if ((isWithin || isAround) && output !== undefined && (one.output === undefined || one.output === output))
      return true;
  }
  return false;
}
