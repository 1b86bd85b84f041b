import { SpanKind } from "../model/span-view.ts";
import type { Trace } from "../assemble/trace.ts";
import type { Adapter } from "./adapter.ts";
import { classify } from "./classify.ts";
import { connect, isNone } from "./connect.ts";
import { createFieldTable } from "./field-table.ts";
import { Fragment } from "./fragment.ts";
import { Piece } from "./piece.ts";
import { isRun } from "./is-run.ts";
import { OrderlyReader } from "./orderly/orderly.ts";
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
  const orderly = new OrderlyReader(reader, silence);
  return (trace) => {
    if (trace.spans.length > faintSpans && trace.spans.every((span) => silence.holds(span))) return [];
    const run = orderly.read(trace);
    if (run !== undefined) return [Fragment.ofOrderly(trace, run, () => piecesOf(trace, reader))];
    const pieces = piecesOf(trace, reader);
    const runs = splitRuns(pieces).filter(({ pieces: own }) => isRun(own));
    if (runs.length > 0) return runs.map((parts) => Fragment.of(trace, parts));
    const failed = failedAlone(pieces);
    return failed === undefined ? [] : [Fragment.of(trace, { root: failed, pieces }, true)];
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
  return all.some(isNone) ? all.filter((piece) => !isNone(piece)) : all;
}
