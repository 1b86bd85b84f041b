import { useEffect, useRef } from "../hooks.ts";

/**
 * Calls a function soon after new verdicts, with the ids of their runs.
 * @param key when it changes, the event stream is opened again
 */
export function useVerdictEvents(
  call: (runIds: ReadonlySet<string>) => void,
  key: string,
  gatherMs = 300,
): void {
  const latest = useRef(call);
  latest.current = call;
  useEffect(() => {
    const events = new EventSource("/api/v1/events");
    let timer: ReturnType<typeof setTimeout> | undefined;
    let runIds = new Set<string>();
    events.addEventListener("verdict", (event) => {
      runIds.add((JSON.parse(event.data as string) as { run_id: string }).run_id);
      timer ??= setTimeout(() => {
        const gathered = runIds;
        timer = undefined;
        runIds = new Set();
        latest.current(gathered);
      }, gatherMs);
    });
    return () => {
      clearTimeout(timer);
      events.close();
    };
  }, [key]);
}
