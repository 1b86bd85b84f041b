import { NewestEntries } from "../../support/structures/newest-entries.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";

/** Maximum number of remembered sessions. Above this number, the session that was seen least recently is forgotten. */
const MOST_SESSIONS = 20_000;
/** Maximum number of remembered runs of a session. Above this number, the oldest runs are forgotten. */
const MOST_RUNS = 200;

interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Sessions that are named by spans, with the times at which these spans show an agent or a query. */
export class TracedSessions {
  readonly #intervals = new NewestEntries<string, readonly Interval[]>(MOST_SESSIONS);
  /** Services of which at least one span names a session. */
  readonly #services = new NewestEntries<string | null, true>(MOST_SESSIONS);

  add(boundary: FragmentBoundary): void {
    const { fragment, conversation, isSessionPart } = boundary;
    if (fragment.isBesideSpans || conversation === null) return;
    const { service, start, end, nodes } = fragment;
    this.#services.set(service, true);
    for (const session of new Set(nodes.map((node) => node.conversation))) {
      if (session === null) continue;
      const key = keyOf(service, session);
      const intervals = this.#intervals.get(key) ?? [];
      const isShown = session === conversation && !isSessionPart;
      this.#intervals.set(key, isShown ? [...intervals, { start, end }].slice(-MOST_RUNS) : intervals);
    }
  }

  /**
   * Whether no span names the session of these log records, although other spans of the service name sessions. The session then exported no
   * spans, for example because another version or setting of the agent wrote it. Its log records are a run of their own.
   */
  lacks({ fragment: { service }, conversation }: FragmentBoundary): boolean {
    if (conversation === null || !this.#services.has(service)) return false;
    return !this.#intervals.has(keyOf(service, conversation));
  }

  /**
   * Whether spans of the same session show an agent or a query during the fragment's time, so that they describe the same run as the
   * fragment.
   */
  has({ fragment: { service, start, end }, conversation }: FragmentBoundary): boolean {
    if (conversation === null) return false;
    const intervals = this.#intervals.get(keyOf(service, conversation)) ?? [];
    return intervals.some((one) => one.start <= end && one.end >= start);
  }
}

function keyOf(service: string | null, conversation: string): string {
  return `${service ?? ""}\u0000${conversation}`;
}
