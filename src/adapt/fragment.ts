import { key } from "../model/attribute-key.ts";
import type { Trace } from "../assemble/trace.ts";
import type { CloseReason } from "../model/run.ts";
import type { LogView, SpanView } from "../model/span-view.ts";
import type { Call } from "./call.ts";
import { leafCalls } from "./leaf-calls.ts";
import type { Orderly } from "./orderly/orderly.ts";
import type { RunPieces } from "./split-runs.ts";
import { transcriptCalls } from "./transcript-calls.ts";
import type { Piece } from "./piece.ts";

const SERVICE = key("service.name");

/** What one trace holds of one run: all of it as a rule, a part where a run is spread over several traces. */
export class Fragment {
  readonly traceId: string;
  readonly closeReason: CloseReason;
  /** Something of the trace was cut off when it was assembled. */
  readonly truncated: boolean;
  /** Log records of the trace that belong to none of its spans. */
  readonly looseLogs: readonly LogView[];
  /** No agent in it, only a failed span: a run if nothing else is there. */
  readonly isFaint: boolean;
  /** Set where all of the trace is one run of a single agent, told by tables alone: it has no pieces before somebody asks. */
  readonly orderly: Orderly | undefined;
  readonly #rootSpan: SpanView;
  readonly #read: () => RunPieces;
  #parts: RunPieces | undefined;
  #calls: readonly Call[] | undefined;
  #service: string | null | undefined;

  /** The trace begins by pointing at another. */
  readonly isLinked: boolean;

  /** `read` gives what it consists of, where that is not known yet. */
  private constructor(
    from: Trace,
    rootSpan: SpanView,
    parts: RunPieces | undefined,
    read: () => RunPieces,
    isFaint: boolean,
    orderly: Orderly | undefined,
  ) {
    this.#rootSpan = rootSpan;
    this.#parts = parts;
    this.#read = read;
    this.isFaint = isFaint;
    this.orderly = orderly;
    this.isLinked = (from.spans[0]?.links.length ?? 0) > 0;
    this.traceId = from.traceId;
    this.closeReason = from.closeReason;
    this.truncated = from.truncated;
    this.looseLogs = from.looseLogs;
  }

  static of(from: Trace, parts: RunPieces, isFaint = false): Fragment {
    return new Fragment(from, parts.root.span, parts, () => parts, isFaint, undefined);
  }

  /** `read` gives all pieces of the trace. */
  static ofOrderly(from: Trace, orderly: Orderly, read: () => readonly Piece[]): Fragment {
    const { span } = orderly.root;
    return new Fragment(from, span, undefined, () => partsUnder(span, read()), false, orderly);
  }

  get #pieces(): RunPieces {
    return (this.#parts ??= this.#read());
  }

  /** The outermost span that belongs to an agent, below servers and applications. */
  get root(): Piece {
    return this.#pieces.root;
  }

  /** By start time. */
  get pieces(): readonly Piece[] {
    return this.#pieces.pieces;
  }

  get start(): number {
    return this.#rootSpan.startUnixMs;
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
    if (this.#service === undefined) this.#service = this.#rootSpan.resource.text(SERVICE) ?? null;
    return this.#service;
  }
}

function partsUnder(span: SpanView, pieces: readonly Piece[]): RunPieces {
  const root = pieces.find((piece) => piece.span === span);
  if (root === undefined) throw new Error("the root of an orderly run is not among its trace's spans");
  return { root, pieces };
}
