import { readToolSpan } from "../calls/tool-span.ts";
import { plainName } from "../notations/names.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";

/** Stands for the tool's name in links of a fragment whose telemetry does not name the requested tools. */
const ANY = "*";
const BUCKET_MS = 60_000;
const MOST_BUCKETS = 60;

/**
 * The fragment that requested a separately traced tool, such as one run by another thread. The call id decides. Otherwise only fragments
 * count whose time contains the tool's: the only one that requested this name, otherwise the only one with a request whose tool is not
 * recorded. Returns null if several fragments are possible.
 * @param seekers fragments with tool requests but without tool spans
 * @param maxPauseMs a fragment that ended this long before the tool's start is not one of its run
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

/** An agent span without model calls may have requested the tool only if both have the same instrumentation scope. */
function mayHaveRun({ fragment: { calls, root } }: FragmentBoundary, tool: FragmentBoundary): boolean {
  return calls.length > 0 || root.span.scopeName === tool.fragment.root.span.scopeName;
}

/** Names of the tools that the fragment requested; `*` if the telemetry does not contain a name. */
function soughtBy({ fragment: { calls } }: FragmentBoundary): Set<string> {
  const names = new Set<string>();
  for (const { requests, finish } of calls) {
    for (const { name } of requests) names.add(name === null ? ANY : plainName(name));
    if (requests.length === 0 && finish === "tool_call") names.add(ANY);
  }
  if (calls.length === 0) names.add(ANY);
  return names;
}

/** Links for requested tools: by id, and by name for each minute of the fragment. */
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

/** Returns the links by which a separate tool trace is found: by call id, and by tool name and time. */
export function ranLinks({ fragment }: FragmentBoundary): string[] {
  const { callId, name } = readToolSpan(fragment.root);
  const at = Math.floor(fragment.start / BUCKET_MS);
  const links = [`ran ${ANY} ${at}`];
  if (callId !== null) links.push(`ran ${callId}`);
  if (name !== null) links.push(`ran ${plainName(name)} ${at}`);
  return links;
}
