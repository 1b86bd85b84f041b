import type { Message } from "../model/message.ts";
import { isStopped } from "./is-run.ts";
import { leafCalls } from "./leaf-calls.ts";
import { plainName } from "./messages/pick.ts";
import type { Piece } from "./piece.ts";

/** One run's share of a trace. */
export interface RunPieces {
  readonly root: Piece;
  readonly pieces: readonly Piece[];
}

/**
 * The runs in a trace. Mostly one: whatever lies under the outermost agent. Several agents side by side under a server or
 * application are one run when one handed over to the other, else each is its own.
 */
export function splitRuns(pieces: readonly Piece[]): RunPieces[] {
  const tops = topsOf(pieces);
  const first = tops[0];
  if (first === undefined) return isStopped(pieces) ? pieces.map((root) => ({ root, pieces })) : [];
  const owners = tops.filter(isOwner);
  if (owners.length < 2) return [{ root: owners[0] ?? first, pieces }];
  const groups = groupOwners(owners);
  if (groups.length < 2) return [{ root: owners[0] ?? first, pieces }];
  return share(pieces, tops, groups);
}

/** Spans of agents with no such span above; what holds sessions, and what is not about agents, is looked through. */
function topsOf(pieces: readonly Piece[]): Piece[] {
  return pieces.filter((piece) => isAbout(piece) && !hasAbove(piece, isAbout));
}

function isAbout({ role }: Piece): boolean {
  return role !== "unknown" && role !== "session" && role !== "setup" && role !== "message";
}

function hasAbove(piece: Piece, test: (piece: Piece) => boolean): boolean {
  for (let at = piece.parent; at !== undefined; at = at.parent) if (test(at)) return true;
  return false;
}

function isOwner({ role, children }: Piece): boolean {
  return role === "agent" || role === "workflow" || (role === "step" && children.length > 0);
}

function groupOwners(owners: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  for (const owner of owners) {
    const found = groups.find((group) => group.some((earlier) => belongTogether(earlier, owner)));
    if (found === undefined) groups.push([owner]);
    else found.push(owner);
  }
  return groups;
}

/** The parent of both was lost, one handed over to the other, or the later one's history holds the earlier one's calls. */
function belongTogether(earlier: Piece, later: Piece): boolean {
  const { parentSpanId } = earlier.span;
  if (parentSpanId !== undefined && earlier.parent === undefined && parentSpanId === later.span.parentSpanId)
    return true;
  if (isWorkOf(earlier, later)) return true;
  const calls = leafCalls(under(earlier));
  const requests = calls.flatMap((call) => call.requests);
  const name = plainName(later.text("agent") ?? later.span.name);
  const towards = (text: string | null | undefined) =>
    text !== null && text !== undefined && name !== "" && plainName(text).endsWith(name);
  if (requests.some((request) => towards(request.name))) return true;
  if (under(earlier).some((piece) => piece.role === "handoff" && towards(piece.text("handoffTo"))))
    return true;
  const ids = new Set(requests.flatMap((request) => request.id ?? []));
  const history = leafCalls(under(later))[0]?.inputs ?? [];
  return history.some((message) => mentions(message, ids));
}

/** An agent called from afar, of whose work nothing arrived but what lost its way up: the later one, in the earlier one's time. */
function isWorkOf(earlier: Piece, later: Piece): boolean {
  if (later.start < earlier.start || later.end > earlier.end || !isCutOff(later)) return false;
  return earlier.role === "agent" && !under(earlier).some(({ role }) => role === "call" || role === "tool");
}

/** A span above it was never received. */
function isCutOff(piece: Piece): boolean {
  let top = piece;
  while (top.parent !== undefined) top = top.parent;
  return top.span.parentSpanId !== undefined;
}

function mentions(message: Message, ids: ReadonlySet<string>): boolean {
  return message.calls.some((call) => call.id !== null && ids.has(call.id));
}

export function under(piece: Piece): Piece[] {
  const all = [piece];
  for (const one of all) all.push(...one.children);
  return all.sort((a, b) => a.start - b.start);
}

/** Each piece goes to the run of the top above it; tops that own nothing go to the run before them. */
function share(pieces: readonly Piece[], tops: readonly Piece[], groups: readonly Piece[][]): RunPieces[] {
  const groupOf = new Map<Piece, Piece[]>();
  for (const group of groups) for (const owner of group) groupOf.set(owner, group);
  let current = groups[0] ?? [];
  const shares = new Map<Piece[], Piece[]>(groups.map((group) => [group, []]));
  const topGroup = new Map<Piece, Piece[]>();
  for (const top of tops) {
    current = groupOf.get(top) ?? current;
    topGroup.set(top, current);
  }
  const isTop = new Set(tops);
  for (const piece of pieces) {
    const top = topOf(piece, isTop);
    if (top !== undefined) shares.get(topGroup.get(top) ?? current)?.push(piece);
  }
  return groups.flatMap((group) => {
    const root = group[0];
    return root === undefined ? [] : [{ root, pieces: shares.get(group) ?? [] }];
  });
}

function topOf(piece: Piece, tops: ReadonlySet<Piece>): Piece | undefined {
  for (let at: Piece | undefined = piece; at !== undefined; at = at.parent) if (tops.has(at)) return at;
  return undefined;
}
