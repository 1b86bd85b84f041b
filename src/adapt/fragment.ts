import { key } from "../model/attribute-key.ts";
import type { Trace } from "../assemble/trace.ts";
import type { CloseReason } from "../model/run.ts";
import type { LogView } from "../model/span-view.ts";
import type { Call } from "./call.ts";
import { leafCalls } from "./leaf-calls.ts";
import type { Orderly } from "./orderly.ts";
import { transcriptCalls } from "./transcript-calls.ts";
import type { Piece } from "./piece.ts";

const SERVICE = key("service.name");

/** What one trace holds of one run: all of it as a rule, a part where a run is spread over several traces. */
export class Fragment {
  readonly traceId: string;
  /** The outermost span that belongs to an agent, below servers and applications. */
  readonly root: Piece;
  /** By start time. */
  readonly pieces: readonly Piece[];
  readonly closeReason: CloseReason;
  /** Something of the trace was cut off when it was assembled. */
  readonly truncated: boolean;
  /** Log records of the trace that belong to none of its spans. */
  readonly looseLogs: readonly LogView[];
  /** No agent in it, only a failed span: a run if nothing else is there. */
  readonly isFaint: boolean;
  /** Set where all of the trace is one run of a single agent, told by tables alone. */
  readonly orderly: Orderly | undefined;
  #calls: readonly Call[] | undefined;
  #service: string | null | undefined;

  /** The trace begins by pointing at another. */
  readonly isLinked: boolean;

  constructor(root: Piece, pieces: readonly Piece[], from: Trace, isFaint = false, orderly?: Orderly) {
    this.isFaint = isFaint;
    this.orderly = orderly;
    this.#calls = orderly?.calls;
    this.isLinked = (from.spans[0]?.links.length ?? 0) > 0;
    this.traceId = from.traceId;
    this.root = root;
    this.pieces = pieces;
    this.closeReason = from.closeReason;
    this.truncated = from.truncated;
    this.looseLogs = from.looseLogs;
  }

  get start(): number {
    return this.root.start;
  }

  /** The trace's model calls, by start time: their spans, or where there are none the messages of a transcript. */
  get calls(): readonly Call[] {
    if (this.#calls === undefined) {
      const spans = leafCalls(this.pieces);
      this.#calls = spans.length > 0 ? spans : transcriptCalls(this.pieces);
    }
    return this.#calls;
  }

  get service(): string | null {
    if (this.#service === undefined) this.#service = this.root.span.resource.text(SERVICE) ?? null;
    return this.#service;
  }
}
