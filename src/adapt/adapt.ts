import { SpanKind } from "../model/span-view.ts";
import type { Trace } from "../assemble/trace.ts";
import type { Adapter } from "./adapter.ts";
import { classify } from "./classify.ts";
import { createFieldTable } from "./field-table.ts";
import { Fragment } from "./fragment.ts";
import { Piece } from "./piece.ts";
import { isRun } from "./is-run.ts";
import { orderlyRun } from "./orderly.ts";
import { Silence } from "./silence.ts";
import { FieldReader } from "./span-reading.ts";
import { splitRuns } from "./split-runs.ts";

/** Reads traces into fragments of runs: several where a trace holds several runs, none where it holds none. */
export type Adapt = (trace: Trace) => Fragment[];

/** The adapters' order decides which attribute is believed where several say the same thing differently. */
export function createAdapt(adapters: readonly Adapter[]): Adapt {
  const table = createFieldTable(adapters);
  const reader = new FieldReader(table);
  const silence = new Silence(reader);
  return (trace) => {
    if (trace.spans.length > faintSpans && trace.spans.every((span) => silence.holds(span))) return [];
    const pieces = piecesOf(trace, reader);
    const orderly = orderlyRun(pieces, trace);
    if (orderly !== undefined) return [new Fragment(orderly.root, pieces, trace, false, orderly)];
    const runs = splitRuns(pieces).filter(({ pieces: own }) => isRun(own));
    if (runs.length > 0) return runs.map(({ root, pieces: own }) => new Fragment(root, own, trace));
    const failed = failedAlone(pieces);
    return failed === undefined ? [] : [new Fragment(failed, pieces, trace, true)];
  };
}

/** Most spans that a trace without any agent may have to be taken for one that failed before its agent began. */
const faintSpans = 3;

/** An application's own span, ended by a failure, and nothing about agents: a guardrail may have stopped it. */
function failedAlone(pieces: readonly Piece[]): Piece | undefined {
  const [root] = pieces;
  if (root === undefined || pieces.length > faintSpans || root.parent !== undefined) return undefined;
  const isOwnWork = pieces.every(({ span, role }) => span.kind <= SpanKind.internal && role === "unknown");
  return isOwnWork && root.failure !== null ? root : undefined;
}

function piecesOf(trace: Trace, reader: FieldReader): Piece[] {
  const all = trace.spans.map((span) => {
    const reading = reader.read(span);
    return new Piece(reading, classify(reading), reader);
  });
  connect(trace, all);
  return all.filter(({ role }) => role !== "copy" && role !== "message");
}

/** Ties each piece to the nearest span above it that counts. */
function connect(trace: Trace, pieces: readonly Piece[]): void {
  const byId =
    trace.parents === undefined ? new Map(pieces.map((piece) => [piece.span.spanId, piece])) : undefined;
  const parentOf = (piece: Piece, index: number): Piece | undefined => {
    if (trace.parents !== undefined) return pieces[trace.parents[index] ?? -1];
    const id = piece.span.parentSpanId;
    const parent = id === undefined ? undefined : byId?.get(id);
    return parent === piece ? undefined : parent;
  };
  const parents = pieces.map(parentOf);
  const place = new Map(pieces.map((piece, index) => [piece, index]));
  const circles = hasCircle(parents, place);
  for (const [index, piece] of pieces.entries()) {
    let parent = parents[index];
    let hops = 0;
    while (parent !== undefined && (parent.role === "copy" || parent.role === "message")) {
      parent = parents[place.get(parent) ?? -1];
      if ((hops += 1) > pieces.length) parent = undefined;
    }
    if (parent === undefined || (circles && closesCircle(piece, parent))) continue;
    piece.parent = parent;
    if (piece.role !== "copy") parent.children.push(piece);
  }
}

/** Whether any span is its own ancestor. Each is walked over once, whatever the depth. */
function hasCircle(parents: readonly (Piece | undefined)[], place: ReadonlyMap<Piece, number>): boolean {
  const walk = new Int32Array(parents.length);
  for (let index = 0; index < parents.length; index++) {
    let at = index;
    while (at >= 0 && walk[at] === 0) {
      walk[at] = index + 1;
      const parent = parents[at];
      at = parent === undefined ? -1 : (place.get(parent) ?? -1);
    }
    if (at >= 0 && walk[at] === index + 1) return true;
  }
  return false;
}

/** Ids come from strangers: a span may name its own descendant as parent. */
function closesCircle(piece: Piece, parent: Piece): boolean {
  for (let at: Piece | undefined = parent; at !== undefined; at = at.parent) if (at === piece) return true;
  return false;
}
