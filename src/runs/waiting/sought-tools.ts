import { readToolSpan } from "../calls/tool-span.ts";
import { plainName } from "../notations/names.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";

/** Replaces the tool's name in the links of a fragment whose telemetry does not name its requested tools. */
const ANY = "*";
const BUCKET_MS = 60_000;
const MOST_BUCKETS = 60;

/**
 * Returns the fragment that requested a tool with a separate trace, such as a tool run by another thread. The fragment that requested the
 * tool's call id counts. Without one, only fragments whose time contains the tool's time are possible. Of these, the only one that
 * requested this tool name counts, or else the only one with a request whose tool is not recorded. Null if there is none, or if several
 * fragments are possible.
 * @param seekers fragments with tool requests but without tool spans
 * @param maxPauseMs a fragment that ended this long or longer before the tool's start is excluded
 */
export function seekerOf(
  tool: FragmentBoundary,
  seekers: readonly FragmentBoundary[],
  maxPauseMs: number,
): FragmentBoundary | null {
  const { fragment } = tool;
  const { callId, name } = readToolSpan(fragment.root);
  const byId = seekers.findLast(
    ({ fragment: { calls, end } }) =>
      fragment.start - end < maxPauseMs &&
      calls.some(({ requests }) => requests.some(({ id }) => id !== null && id === callId)),
  );
  if (byId !== undefined) return byId;
  const around = seekers.filter(
    (one) => one.fragment.start <= fragment.start && one.fragment.end >= fragment.end,
  );
  const named = name === null ? [] : around.filter((one) => soughtBy(one).has(plainName(name)));
  const candidates =
    named.length > 0 ? named : around.filter((one) => soughtBy(one).has(ANY) && mayHaveRun(one, tool));
  return candidates.length === 1 ? (candidates[0] ?? null) : null;
}

/**
 * Whether the fragment's agent may have requested the tool. An agent span without model calls must have the tool's instrumentation scope.
 */
function mayHaveRun({ fragment: { calls, root } }: FragmentBoundary, tool: FragmentBoundary): boolean {
  return calls.length > 0 || root.span.scopeName === tool.fragment.root.span.scopeName;
}

/** Returns the names of the tools that the fragment requested; `*` for a request whose tool name is not recorded. */
function soughtBy({ fragment: { calls } }: FragmentBoundary): Set<string> {
  const names = new Set<string>();
  for (const { requests, finish } of calls) {
    for (const { name } of requests) names.add(name === null ? ANY : plainName(name));
    if (requests.length === 0 && finish === "tool_call") names.add(ANY);
  }
  if (calls.length === 0) names.add(ANY);
  return names;
}

/** Returns the links for the tools that a fragment requested: by call id, and by tool name for each minute of the fragment. */
export function soughtLinks(boundary: FragmentBoundary): string[] {
  const { calls, start, end } = boundary.fragment;
  const links = calls.flatMap(({ requests }) =>
    requests.flatMap(({ id }) => (id === null ? [] : [`ran ${id}`])),
  );
  const first = Math.floor(start / BUCKET_MS);
  const last = Math.min(Math.floor(end / BUCKET_MS), first + MOST_BUCKETS);
  for (const name of soughtBy(boundary))
    for (let at = first; at <= last; at++) links.push(`ran ${name} ${at}`);
  return links;
}

/** Returns the links by which a separate tool trace finds its fragment: by call id, and by tool name and minute. */
export function ranLinks({ fragment }: FragmentBoundary): string[] {
  const { callId, name } = readToolSpan(fragment.root);
  const at = Math.floor(fragment.start / BUCKET_MS);
  const links = [`ran ${ANY} ${at}`];
  if (callId !== null) links.push(`ran ${callId}`);
  if (name !== null) links.push(`ran ${plainName(name)} ${at}`);
  return links;
}
