import type { Call } from "../adapt/call.ts";
import type { Seams } from "./seams.ts";
import { SetIndex } from "./set-index.ts";

/** What is needed to recognise a call in another trace as a copy: no content, no reference to its span. */
export interface CallPrint {
  readonly start: number;
  readonly end: number;
  readonly scope: string;
  readonly responseId: string | undefined;
  readonly output: number | undefined;
}

export function printOf(call: Call): CallPrint {
  return {
    start: call.start,
    end: call.end,
    scope: call.piece.span.scopeName,
    responseId: call.field("responseId"),
    output: call.counts.output,
  };
}

/** A model call that is a trace of its own: the client library's span beside the framework's, which are not tied together. */
export function loneCall(seams: Seams): Call | undefined {
  const [call, ...more] = seams.fragment.calls;
  if (call === undefined || more.length > 0 || !seams.isBare) return undefined;
  return seams.fragment.pieces.some(({ role }) => role === "tool") ? undefined : call;
}

/** They share the response's id; or one lies within the other, with the same count of output tokens. */
export function isCopy(call: CallPrint, original: CallPrint): boolean {
  if (call.scope === original.scope) return false;
  if (call.responseId !== undefined && call.responseId === original.responseId) return true;
  const within = call.start >= original.start - 1 && call.end <= original.end + 1;
  const around = call.start <= original.start + 1 && call.end >= original.end - 1;
  if (!within && !around) return false;
  return call.output !== undefined && (original.output === undefined || call.output === original.output);
}

/** Prints of released runs' calls; the oldest are forgotten first. */
export class CallPrints {
  readonly #limit: number;
  #newer = new Generation();
  #older = new Generation();

  /** At least the last `limit` prints are kept, and at most twice as many. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(calls: readonly Call[]): void {
    for (const call of calls) this.#newer.add(printOf(call));
    if (this.#newer.size < this.#limit) return;
    this.#older = this.#newer;
    this.#newer = new Generation();
  }

  /** Whether a lone call repeats one of these. */
  hasOriginalOf(call: CallPrint): boolean {
    return this.#newer.hasOriginalOf(call) || this.#older.hasOriginalOf(call);
  }
}

/** Prints by what a copy has in common with its original; put in order only when somebody asks, which is seldom. */
class Generation {
  readonly #prints: CallPrint[] = [];
  #indexed = 0;
  readonly #byResponse = new SetIndex<string, CallPrint>();
  readonly #byOutput = new SetIndex<number | undefined, CallPrint>();
  readonly #scopes = new Set<string>();

  get size(): number {
    return this.#prints.length;
  }

  add(print: CallPrint): void {
    this.#prints.push(print);
    this.#scopes.add(print.scope);
  }

  hasOriginalOf(call: CallPrint): boolean {
    if (this.#scopes.size === 0 || (this.#scopes.size === 1 && this.#scopes.has(call.scope))) return false;
    this.#index();
    const { responseId, output } = call;
    if (responseId !== undefined && holds(this.#byResponse.get(responseId), call)) return true;
    if (output === undefined) return false;
    return holds(this.#byOutput.get(output), call) || holds(this.#byOutput.get(undefined), call);
  }

  #index(): void {
    for (const print of this.#prints.slice(this.#indexed)) {
      this.#byOutput.add(print.output, print);
      if (print.responseId !== undefined) this.#byResponse.add(print.responseId, print);
    }
    this.#indexed = this.#prints.length;
  }
}

function holds(prints: Iterable<CallPrint>, call: CallPrint): boolean {
  for (const print of prints) if (isCopy(call, print)) return true;
  return false;
}
