import { ApiError } from "../api.ts";
import { useEffect, useEvery, useRef, useState } from "../hooks.ts";
import type { RunFilter } from "./filter.ts";
import { type ListedRun, listRuns } from "./listed-run.ts";
import { useVerdictEvents } from "./verdict-events.ts";

const pageSize = 100;
const pollMs = 3_000;
/** Maximum number of pages of new runs that are loaded at once. Further runs are loaded by scrolling. */
const mostNewPages = 5;

export interface Live {
  /** The filter as a text; a change means that another list is shown. */
  readonly key: string;
  readonly runs: readonly ListedRun[];
  /** Number of new runs that are not shown while the list is held. */
  readonly waiting: number;
  readonly showWaiting: () => void;
  readonly more: boolean;
  readonly loadMore: () => void;
  readonly error: ApiError | null;
  readonly loaded: boolean;
  /** Increases whenever the runs change. */
  readonly changes: number;
}

/** The last list that was shown. If the user goes back to it, it is shown at once, at the same scroll position. */
let last: { readonly key: string; readonly runs: readonly ListedRun[]; readonly next: string | null } | null =
  null;

/** The runs that match a filter, updated automatically. While `isHeld` is true, new runs are only counted. A sorted list is not updated. */
export function useLiveRuns(filter: RunFilter, isHeld: boolean): Live {
  const key = JSON.stringify(filter);
  const isSorted = filter.sort !== "";
  const before = last?.key === key ? last : null;
  const [runs, setRuns] = useState<readonly ListedRun[]>(before?.runs ?? []);
  const [waiting, setWaiting] = useState<readonly ListedRun[]>([]);
  const [next, setNext] = useState<string | null>(before?.next ?? null);
  const [loadedKey, setLoadedKey] = useState(before?.key ?? "");
  const [error, setError] = useState<ApiError | null>(null);
  const [changes, setChanges] = useState(0);
  // `wantsMore` is true if the list was scrolled near its end while another request was running.
  const current = useRef({ key, runs, waiting, isHeld, next, busy: false, wantsMore: false });
  current.current = { ...current.current, key, runs, waiting, isHeld, next };
  const show = (shown: readonly ListedRun[], goesOn = current.current.next): void => {
    Object.assign(current.current, { runs: shown, next: goesOn });
    last = { key, runs: shown, next: goesOn };
    setRuns(shown);
    setNext(goesOn);
  };
  const wait = (held: readonly ListedRun[]): void => {
    if (held.length !== current.current.waiting.length) setChanges((count) => count + 1);
    setWaiting(held);
  };

  const failed = (reason: unknown): void => {
    setError(
      reason instanceof ApiError ? reason : new ApiError(0, String(reason), "", "Load the page again."),
    );
  };
  const refresh = async (): Promise<void> => {
    if (current.current.busy || (isSorted && current.current.runs.length > pageSize)) return;
    current.current.busy = true;
    try {
      const known = new Set(current.current.runs.map(({ run_id }) => run_id));
      const fresh = isSorted ? await listRuns(filter, pageSize) : await newest(filter, known);
      if (current.current.key !== key) return;
      setError(null);
      setLoadedKey(key);
      const added = fresh.runs.filter((run) => !known.has(run.run_id));
      if (current.current.isHeld && known.size > 0) return wait(added);
      const goesOn = known.size === 0 || isSorted ? fresh.next : current.current.next;
      if (added.length > 0) setChanges((count) => count + 1);
      show(isSorted ? fresh.runs : merged(fresh.runs, current.current.runs), goesOn);
    } catch (reason) {
      failed(reason);
    } finally {
      done();
    }
  };
  const done = (): void => {
    // Ignores the result, because the filter has changed since the request.
    if (current.current.key !== key) return;
    current.current.busy = false;
    if (current.current.wantsMore) loadMore();
  };

  useEffect(() => {
    if (last?.key !== key) show([], null);
    setWaiting([]);
    Object.assign(current.current, { busy: false, wantsMore: false });
    void refresh();
  }, [key]);
  const showWaiting = (): void => {
    show(merged(current.current.waiting, current.current.runs));
    setWaiting([]);
    void refresh();
  };
  useEffect(() => {
    if (!isHeld) showWaiting();
  }, [isHeld]);
  useEvery(pollMs, () => void refresh(), [key]);
  useVerdictEvents(() => void refresh(), key);

  const loadMore = (): void => {
    const { next: from, busy } = current.current;
    current.current.wantsMore = from !== null && busy;
    if (from === null || busy) return;
    current.current.busy = true;
    void readOn(from);
  };
  const readOn = async (cursor: string): Promise<void> => {
    try {
      const page = await listRuns(filter, pageSize, cursor);
      if (current.current.key !== key) return;
      show(merged(current.current.runs, page.runs), page.next);
      // Loads the next page if this one is empty, because later pages can still contain matching runs.
      current.current.wantsMore ||= page.runs.length === 0;
    } catch (reason) {
      failed(reason);
    } finally {
      done();
    }
  };
  return {
    key,
    runs,
    waiting: waiting.length,
    showWaiting,
    more: next !== null,
    loadMore,
    error,
    loaded: loadedKey === key,
    changes,
  };
}

async function newest(
  filter: RunFilter,
  known: ReadonlySet<string>,
): Promise<{ runs: ListedRun[]; next: string | null }> {
  const runs: ListedRun[] = [];
  let next: string | null = null;
  for (let pages = 0; pages < mostNewPages; pages++) {
    const page = await listRuns(filter, pageSize, next ?? "");
    runs.push(...page.runs);
    next = page.next;
    // The list is up to date if the page contains a known run. An empty page does not show this, because later pages can still contain
    // matching runs.
    const caughtUp = known.size === 0 ? runs.length > 0 : page.runs.some(({ run_id }) => known.has(run_id));
    if (next === null || caughtUp) break;
  }
  return { runs, next };
}

/** Joins both lists without duplicates. If a run is in both lists, the entry in `first` is used. */
function merged(first: readonly ListedRun[], second: readonly ListedRun[]): readonly ListedRun[] {
  const there = new Set(first.map(({ run_id }) => run_id));
  return [
    ...new Map(first.map((run) => [run.run_id, run])).values(),
    ...second.filter((run) => !there.has(run.run_id)),
  ];
}
