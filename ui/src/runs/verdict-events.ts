import { useEffect, useRef } from "../hooks.ts";

/**
 * Calls soon after verdicts have come, with the runs they are about. Where the API has no events, asking now and then must do.
 * @param key events are followed anew when it changes
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
