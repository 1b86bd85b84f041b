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

/** Sessions that spans name, with the times at which their spans show an agent or a query. */
export class TracedSessions {
  readonly #intervals = new NewestEntries<string, readonly Interval[]>(MOST_SESSIONS);
  /** Services whose spans name sessions. */
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
   * Whether no span names the session of these log records, although spans of the service name their sessions. The session then
   * exported no spans, for example because another version of the agent or another setting wrote it, so its log records are a run of their
   * own.
   */
  lacks({ fragment: { service }, conversation }: FragmentBoundary): boolean {
    if (conversation === null || !this.#services.has(service)) return false;
    return !this.#intervals.has(keyOf(service, conversation));
  }

  /** Whether spans show an agent or a query of the same session at the time of the fragment, so that both describe the same run. */
  has({ fragment: { service, start, end }, conversation }: FragmentBoundary): boolean {
    if (conversation === null) return false;
    const intervals = this.#intervals.get(keyOf(service, conversation)) ?? [];
    return intervals.some((one) => one.start <= end && one.end >= start);
  }
}

function keyOf(service: string | null, conversation: string): string {
  return `${service ?? ""}\u0000${conversation}`;
}
