import { plainName } from "../adapt/messages/pick.ts";
import { Nearest } from "../adapt/nearest.ts";
import type { Piece } from "../adapt/piece.ts";
import { readTool, toolName } from "../adapt/read-tool.ts";
import type { JsonValue } from "../model/json.ts";

/** One execution of a tool: its span, with those of other layers inside it. */
export interface ToolSpan {
  readonly pieces: readonly [Piece, ...Piece[]];
  readonly name: string | undefined;
  readonly callId: string | undefined;
  readonly arguments: JsonValue | undefined;
  readonly result: JsonValue | undefined;
  readonly error: string | null;
}

/** A tool span within one of the same name, or where one of the two has no name, is the same execution. */
export function toolSpans(pieces: readonly Piece[]): ToolSpan[] {
  const groups = new Set<[Piece, ...Piece[]]>();
  const groupOf = new Map<Piece, [Piece, ...Piece[]]>();
  const around = new Nearest((piece) => {
    if (piece.role === "tool") return piece;
    return piece.role === "agent" || piece.role === "call" ? null : undefined;
  });
  for (const piece of pieces) {
    if (piece.role !== "tool") continue;
    const outer = around.of(piece.parent) ?? undefined;
    const isSame = outer !== undefined && sameName(toolName(outer), toolName(piece));
    const known = isSame ? groupOf.get(outer) : undefined;
    known?.push(piece);
    const group = known ?? [piece];
    groups.add(group);
    groupOf.set(piece, group);
  }
  return Array.from(groups, merge);
}

function sameName(outer: string | undefined, inner: string | undefined): boolean {
  if (outer === undefined || inner === undefined) return true;
  const [a, b] = [plainName(outer), plainName(inner)];
  return a === b || a.endsWith(b) || b.endsWith(a);
}

function merge(pieces: [Piece, ...Piece[]]): ToolSpan {
  const all = pieces.map(readTool);
  return {
    pieces,
    name: first(all.map((one) => one.name)),
    callId: first(all.map((one) => one.callId)),
    arguments: first(all.map((one) => one.arguments)),
    result: first(all.map((one) => one.result)),
    error: first(all.map((one) => one.error ?? undefined)) ?? null,
  };
}

function first<T>(values: readonly (T | undefined)[]): T | undefined {
  return values.find((value) => value !== undefined);
}
