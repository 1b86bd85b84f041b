import { NewestEntries } from "../../support/structures/newest-entries.ts";
import { withSingleSpaces } from "../continuation/produced-texts.ts";
import { withoutWrapping } from "../notations/wrapping.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";

/** Maximum number of remembered sessions. Above this number, the session that was seen least recently is forgotten. */
const MOST_SESSIONS = 20_000;
/** Maximum number of remembered runs of a session. Above this number, the oldest runs are forgotten. */
const MOST_RUNS = 200;

/** Longest query in characters that is compared with a recorded prompt. Senders control how many queries are remembered. */
const LONGEST_QUERY = 1_000;

interface Interval {
  readonly start: number;
  readonly end: number;
  readonly query: string | null;
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
      const shown = { start, end, query: boundary.hasNoAgentSpan ? queryOf(boundary.question) : null };
      this.#intervals.set(key, isShown ? [...intervals, shown].slice(-MOST_RUNS) : intervals);
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
   * fragment. A record of only a prompt has no duration, so it is the query of a span that begins later.
   */
  has({ fragment, conversation }: FragmentBoundary): boolean {
    if (conversation === null) return false;
    const { service, start, end, isPromptOnly } = fragment;
    const intervals = this.#intervals.get(keyOf(service, conversation)) ?? [];
    const prompt = isPromptOnly ? queryOf(fragment.prompt) : null;
    return intervals.some(
      (one) =>
        (one.start <= end && one.end >= start) ||
        (prompt !== null && one.start >= start && one.query === prompt),
    );
  }
}

function queryOf(text: string | null): string | null {
  if (text === null) return null;
  const query = withoutWrapping(text, []);
  return query.length > LONGEST_QUERY ? null : withSingleSpaces(query);
}

function keyOf(service: string | null, conversation: string): string {
  return `${service ?? ""}\u0000${conversation}`;
}
