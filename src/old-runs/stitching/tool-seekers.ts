import { plainName } from "../messages/pick.ts";
import type { Fragment } from "../fragments/fragment.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";

/** What a fragment seeks whose telemetry does not show which tools its calls asked for. */
const ANY = "*";
const BUCKET_MS = 60_000;
const MOST_BUCKETS = 60;
/** So many of the latest seekers of one tool are looked at. */
const MOST_SEEKERS = 100;

/** Names of the tools that a fragment seeks; `*` for tools that are not known by name. */
function soughtBy({ fragment }: FragmentBoundary): Set<string> {
  const names = new Set<string>();
  for (const { requests, finish } of fragment.calls) {
    for (const { name } of requests) names.add(name === null ? ANY : plainName(name));
    if (requests.length === 0 && finish === "tool_call") names.add(ANY);
  }
  // An agent whose model calls have no spans may have run any tool.
  if (fragment.calls.length === 0) names.add(ANY);
  return names;
}

function idsSoughtBy({ fragment }: FragmentBoundary): string[] {
  return fragment.calls.flatMap(({ requests }) => requests.flatMap(({ id }) => id ?? []));
}

/** Link keys of what a fragment seeks: by id, and by name within each minute of its time. */
export function* seekingKeys(boundary: FragmentBoundary): Generator<string> {
  for (const id of idsSoughtBy(boundary)) yield `ran ${id}`;
  const { start, end } = boundary.fragment;
  const first = Math.floor(start / BUCKET_MS);
  const last = Math.min(Math.floor(end / BUCKET_MS), first + MOST_BUCKETS);
  for (const name of soughtBy(boundary)) for (let at = first; at <= last; at++) yield `ran ${name} ${at}`;
}

/** Link keys by which a tool's own trace is found. */
export function* soughtKeys({ fragment }: FragmentBoundary): Generator<string> {
  const { callId, name } = fragment.root.tool;
  if (callId !== undefined) yield `ran ${callId}`;
  const at = Math.floor(fragment.start / BUCKET_MS);
  if (name !== undefined) yield `ran ${plainName(name)} ${at}`;
  yield `ran ${ANY} ${at}`;
}

/** An agent without model calls gives no sign that it used tools: only those of its own instrumentation can be its. */
function mayHaveRun({ fragment: { calls, root } }: FragmentBoundary, tool: Fragment): boolean {
  return calls.length > 0 || root.span.scopeName === tool.root.span.scopeName;
}

/** Fragments of agents without spans of the tools that their calls asked for, by these tools. */
export class ToolSeekers {
  readonly #byId = new Map<string, FragmentBoundary>();
  readonly #byName = new Map<string, FragmentBoundary[]>();

  add(boundary: FragmentBoundary): void {
    for (const id of idsSoughtBy(boundary)) this.#byId.set(id, boundary);
    for (const name of soughtBy(boundary)) {
      const seekers = this.#byName.get(name);
      if (seekers === undefined) this.#byName.set(name, [boundary]);
      else seekers.push(boundary);
    }
  }

  /**
   * The fragment that asked for a tool with a trace of its own: by its id, else the only one in whose time it ran that asked for one of its name,
   * else the only one that may have. Undefined where several may have asked.
   */
  of({ fragment }: FragmentBoundary): FragmentBoundary | undefined {
    const { callId, name } = fragment.root.tool;
    const byId = callId === undefined ? undefined : this.#byId.get(callId);
    if (byId !== undefined) return byId;
    const around = (key: string): FragmentBoundary[] =>
      (this.#byName.get(key) ?? [])
        .slice(-MOST_SEEKERS)
        .filter((one) => one.fragment.start <= fragment.start && one.fragment.end >= fragment.end);
    const named = name === undefined ? [] : around(plainName(name));
    const candidates = named.length > 0 ? named : around(ANY).filter((one) => mayHaveRun(one, fragment));
    return candidates.length === 1 ? candidates[0] : undefined;
  }
}
