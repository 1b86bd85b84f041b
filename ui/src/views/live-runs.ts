import { ApiError } from "../api.ts";
import { useEffect, useEvery, useRef, useState } from "../hooks.ts";
import { type ListedRun, listRuns, type RunFilter } from "../runs.ts";

const pageSize = 100;
const pollMs = 3_000;
/** Of new runs so many pages are read at once; what lies further down is reached by scrolling. */
const mostNewPages = 5;

interface Live {
  readonly runs: readonly ListedRun[];
  /** How many have come while the list stands still. */
  readonly waiting: number;
  readonly more: boolean;
  readonly loadMore: () => void;
  readonly error: ApiError | null;
  readonly loaded: boolean;
}

/** The runs that fit a filter, newest first, kept up to date; while `paused` new ones wait and are counted. */
export function useLiveRuns(filter: RunFilter, paused: boolean): Live {
  const key = JSON.stringify(filter);
  const [runs, setRuns] = useState<readonly ListedRun[]>([]);
  const [waiting, setWaiting] = useState<readonly ListedRun[]>([]);
  const [next, setNext] = useState<string | null>(null);
  const [loadedKey, setLoadedKey] = useState("");
  const [error, setError] = useState<ApiError | null>(null);
  // `wantsMore`: the end of the list came near while something else was being read.
  const current = useRef({ key, runs, paused, next, busy: false, wantsMore: false });
  current.current = { ...current.current, key, runs, paused, next };
  const show = (shown: readonly ListedRun[], goesOn = current.current.next): void => {
    Object.assign(current.current, { runs: shown, next: goesOn });
    setRuns(shown);
    setNext(goesOn);
  };

  const failed = (reason: unknown): void => {
    setError(
      reason instanceof ApiError ? reason : new ApiError(0, String(reason), "", "Load the page again."),
    );
  };
  const refresh = async (): Promise<void> => {
    if (current.current.busy) return;
    current.current.busy = true;
    try {
      const known = new Set(current.current.runs.map(({ run_id }) => run_id));
      const fresh = await newest(filter, known);
      if (current.current.key !== key) return;
      setError(null);
      const goesOn = known.size === 0 ? fresh.next : current.current.next;
      setLoadedKey(key);
      if (current.current.paused) setWaiting(fresh.runs.filter((run) => !known.has(run.run_id)));
      else show(merged(fresh.runs, current.current.runs), goesOn);
    } catch (reason) {
      failed(reason);
    } finally {
      done();
    }
  };
  const done = (): void => {
    // What was read for another filter is over with it.
    if (current.current.key !== key) return;
    current.current.busy = false;
    if (current.current.wantsMore) loadMore();
  };

  useEffect(() => {
    show([], null);
    setWaiting([]);
    Object.assign(current.current, { busy: false, wantsMore: false });
    void refresh();
  }, [key]);
  useEffect(() => {
    if (paused) return;
    setWaiting([]);
    void refresh();
  }, [paused]);
  useEvery(pollMs, () => void refresh(), [key]);
  useEvents(() => void refresh(), key);

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
      // A page may be empty although more runs fit further down.
      current.current.wantsMore ||= page.runs.length === 0;
    } catch (reason) {
      failed(reason);
    } finally {
      done();
    }
  };
  return { runs, waiting: waiting.length, more: next !== null, loadMore, error, loaded: loadedKey === key };
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
    // A page may be empty although more runs fit further down.
    const caughtUp = known.size === 0 ? runs.length > 0 : page.runs.some(({ run_id }) => known.has(run_id));
    if (next === null || caughtUp) break;
  }
  return { runs, next };
}

/** Both lists, each run once; what `first` says of it holds. */
function merged(first: readonly ListedRun[], second: readonly ListedRun[]): readonly ListedRun[] {
  const there = new Set(first.map(({ run_id }) => run_id));
  return [
    ...new Map(first.map((run) => [run.run_id, run])).values(),
    ...second.filter((run) => !there.has(run.run_id)),
  ];
}

/** Calls soon after verdicts have come. Where the API has no events, asking now and then must do. */
function useEvents(call: () => void, key: string): void {
  useEffect(() => {
    const events = new EventSource("/api/v1/events");
    let timer: ReturnType<typeof setTimeout> | undefined;
    events.addEventListener("verdict", () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        call();
      }, 300);
    });
    return () => {
      clearTimeout(timer);
      events.close();
    };
  }, [key]);
}
