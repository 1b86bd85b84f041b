import type { Trace } from "../assemble/trace.ts";
import { Call } from "./call.ts";
import type { Piece } from "./piece.ts";

/** One agent with its model calls and its tools right below it, each in a span that tables alone can read. */
export interface Orderly {
  readonly root: Piece;
  /** By start, as `tools`. */
  readonly calls: readonly Call[];
  readonly tools: readonly Piece[];
}

/**
 * The pieces of a run of one agent that is written as the conventions ask for need no untangling. Undefined for any other, and wherever
 * there is a doubt. `pieces`: all of the trace's.
 */
export function orderlyRun(pieces: readonly Piece[], trace: Trace): Orderly | undefined {
  if (trace.truncated || trace.looseLogs.length > 0 || trace.spans.length !== pieces.length) return undefined;
  let root: Piece | undefined;
  const calls: Call[] = [];
  const tools: Piece[] = [];
  for (const piece of pieces) {
    const { role } = piece;
    if (piece.span.logs.length > 0) return undefined;
    if (role !== "call" && piece.span.events.length > 0 && tellsMore(piece)) return undefined;
    if (role === "unknown") continue;
    if (!isPlain(piece)) return undefined;
    if (role === "call") calls.push(new Call(piece, alone));
    else if (role === "tool") tools.push(piece);
    else if (role === "agent" && root === undefined) root = piece;
    else return undefined;
  }
  if (root === undefined || calls.length === 0 || (trace.spans[0]?.links.length ?? 0) > 0) return undefined;
  if (innermost(root.parent) !== undefined) return undefined;
  for (const { piece } of calls) if (innermost(piece.parent) !== root) return undefined;
  for (const tool of tools) if (innermost(tool.parent) !== root) return undefined;
  return { root, calls, tools };
}

const alone: readonly Piece[] = [];

/** Its events do: an exception tells no more than that it failed. */
function tellsMore({ attached }: Piece): boolean {
  const { readings, inputs, outputs, loose } = attached;
  return readings.length + inputs.length + outputs.length + loose.length > 0;
}

function isPlain({ reading }: Piece): boolean {
  return reading.dialects.isOrderly && reading.layout.isOrderly(reading.view);
}

/** The nearest span above that has to do with agents. */
function innermost(above: Piece | undefined): Piece | undefined {
  let at = above;
  while (at !== undefined && at.role === "unknown") at = at.parent;
  return at;
}
