import type { Recorder } from "../recorder.ts";

/** Counters of a backend to which telemetry is forwarded. */
export interface ForwardState {
  readonly name: string;
  readonly backend: {
    readonly pending: number;
    readonly heldBytes: number;
    readonly counts: {
      readonly accepted: number;
      readonly recovered: number;
      readonly delivered: number;
      readonly dropped: Readonly<Record<string, number>>;
      readonly failures: number;
      readonly rejectedItems: number;
    };
  };
}

/** Observes the backends' counts whenever metrics are collected. */
export function observeForwarder(recorder: Recorder, backends: readonly ForwardState[]): void {
  const each =
    (read: (state: ForwardState["backend"]) => number) =>
    (report: (value: number, labels: string[]) => void) => {
      for (const { name, backend } of backends) report(read(backend), [name]);
    };
  recorder.observe(
    "tracejury.forward.accepted",
    each(({ counts }) => counts.accepted),
  );
  recorder.observe(
    "tracejury.forward.recovered",
    each(({ counts }) => counts.recovered),
  );
  recorder.observe(
    "tracejury.forward.delivered",
    each(({ counts }) => counts.delivered),
  );
  recorder.observe(
    "tracejury.forward.failures",
    each(({ counts }) => counts.failures),
  );
  recorder.observe(
    "tracejury.forward.rejected_items",
    each(({ counts }) => counts.rejectedItems),
  );
  recorder.observe(
    "tracejury.forward.queue_requests",
    each(({ pending }) => pending),
  );
  recorder.observe(
    "tracejury.forward.queue_memory",
    each(({ heldBytes }) => heldBytes),
  );
  recorder.observe("tracejury.forward.dropped", (report) => {
    for (const { name, backend } of backends) {
      for (const [reason, dropped] of Object.entries(backend.counts.dropped)) report(dropped, [name, reason]);
    }
  });
}
