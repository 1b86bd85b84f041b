import type { TailForwarder } from "../../export/forward/tail/tail-forwarder.ts";
import type { TraceLifecycle } from "../../pipeline/lifecycle/trace-lifecycle.ts";
import type { Recorder } from "../../support/telemetry/metrics/recorder.ts";
import type { AcceptLogs } from "../inputs/accept-logs.ts";

/** Reports what becomes of traces as metrics, and what is forwarded of them to the lifecycle and the accept log. */
export function observeLifecycle(
  lifecycle: TraceLifecycle,
  acceptLogs: AcceptLogs,
  tailForwarder: TailForwarder | null,
  recorder: Recorder,
): void {
  recorder.observe("tracejury.traces.settled", (report) => {
    for (const [outcome, count] of lifecycle.counts) report(count, [outcome]);
  });
  recorder.observe("tracejury.traces.pending", (report) => report(lifecycle.pending, []));
  if (tailForwarder === null) return;
  tailForwarder.events = {
    decided: (destination, traceId, { kept, why }) => {
      lifecycle.forwarded(traceId, { destination, kept, why });
      recorder.count("tracejury.forward.traces", 1, [destination, kept ? "kept" : "left_out", why]);
    },
    note: (forwarded) => acceptLogs.requests.noteForwarded(forwarded),
  };
  recorder.observe("tracejury.forward.held_traces", (report) => {
    for (const { name, hold } of tailForwarder.routes) report(hold.size, [name]);
  });
}
