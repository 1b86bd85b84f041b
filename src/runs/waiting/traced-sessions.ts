import { NewestEntries } from "../../support/structures/newest-entries.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";

/** Maximum number of remembered sessions. Above this number, the session whose run was seen least recently is forgotten. */
const MOST_SESSIONS = 20_000;
/** Maximum number of remembered runs of a session; of further runs, the oldest are forgotten. */
const MOST_RUNS = 200;

interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Times at which spans show an agent or a query of a session. Log records of the session from the same time describe the same run. */
export class TracedSessions {
  readonly #intervals = new NewestEntries<string, readonly Interval[]>(MOST_SESSIONS);

  add(boundary: FragmentBoundary): void {
    const { fragment, conversation, isSessionPart } = boundary;
    if (isSessionPart || fragment.isBesideSpans || conversation === null) return;
    const key = keyOf(fragment.service, conversation);
    const { start, end } = fragment;
    this.#intervals.set(key, [...(this.#intervals.get(key) ?? []), { start, end }].slice(-MOST_RUNS));
  }

  /** Whether spans show an agent or a query of the same session at the time of the fragment. */
  has({ fragment: { service, start, end }, conversation }: FragmentBoundary): boolean {
    if (conversation === null) return false;
    const intervals = this.#intervals.get(keyOf(service, conversation)) ?? [];
    return intervals.some((one) => one.start <= end && one.end >= start);
  }
}

function keyOf(service: string | null, conversation: string): string {
  return `${service ?? ""}\u0000${conversation}`;
}
