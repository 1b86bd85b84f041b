import type { Recorder } from "../recorder.ts";
import type { MetricName } from "./instruments.ts";

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

export function observeForwarder(recorder: Recorder, backends: readonly ForwardState[]): void {
  const each = (name: MetricName, read: (state: ForwardState["backend"]) => number): void =>
    recorder.observe(name, (report) => {
      for (const { name: destination, backend } of backends) report(read(backend), [destination]);
    });
  each("tracejury.forward.accepted", ({ counts }) => counts.accepted);
  each("tracejury.forward.recovered", ({ counts }) => counts.recovered);
  each("tracejury.forward.delivered", ({ counts }) => counts.delivered);
  each("tracejury.forward.failures", ({ counts }) => counts.failures);
  each("tracejury.forward.rejected_items", ({ counts }) => counts.rejectedItems);
  each("tracejury.forward.queue_requests", ({ pending }) => pending);
  each("tracejury.forward.queue_memory", ({ heldBytes }) => heldBytes);
  recorder.observe("tracejury.forward.dropped", (report) => {
    for (const { name, backend } of backends) {
      for (const [reason, dropped] of Object.entries(backend.counts.dropped)) report(dropped, [name, reason]);
    }
  });
}
