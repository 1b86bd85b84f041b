import { isStopped } from "./is-run.ts";
import { Kindred } from "./kindred.ts";
import { Nearest } from "./nearest.ts";
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
  const about = new Nearest((piece) => (isAbout(piece) ? true : undefined));
  return pieces.filter((piece) => isAbout(piece) && about.of(piece.parent) === undefined);
}

function isAbout({ role }: Piece): boolean {
  return role !== "unknown" && role !== "session" && role !== "setup" && role !== "message";
}

function isOwner({ role, children }: Piece): boolean {
  return role === "agent" || role === "workflow" || (role === "step" && children.length > 0);
}

/** Each to the first group of which some earlier owner belongs together with it. */
function groupOwners(owners: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  const kindred = new Kindred(owners);
  for (const owner of owners) {
    const at = kindred.groupOf(owner) ?? groups.push([]) - 1;
    groups[at]?.push(owner);
    kindred.add(owner, at);
  }
  return groups;
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
  const topOf = new Nearest((piece) => (isTop.has(piece) ? piece : undefined));
  for (const piece of pieces) {
    const top = topOf.of(piece);
    if (top !== undefined) shares.get(topGroup.get(top) ?? current)?.push(piece);
  }
  return groups.flatMap((group) => {
    const root = group[0];
    return root === undefined ? [] : [{ root, pieces: shares.get(group) ?? [] }];
  });
}
