import type { TraceEntry } from "../../assemble/trace-entry.ts";
import type { AgentRun } from "../../model/run.ts";
import type { TraceState } from "../../pipeline/lifecycle/trace-state.ts";
import type { AcceptLog, RequestLog } from "./accept-log.ts";

/**
 * The accept logs of one process: the log of requests, and Kafka's log if telemetry is read from Kafka. Verdicts are recorded in the first
 * log that stores telemetry of their run, otherwise in the log of requests.
 */
export class AcceptLogs {
  readonly requests: RequestLog;
  readonly kafka: AcceptLog | null;
  readonly #all: readonly AcceptLog[];

  constructor(requests: RequestLog, kafka: AcceptLog | null) {
    this.requests = requests;
    this.kafka = kafka;
    this.#all = kafka === null ? [requests] : [kafka, requests];
  }

  get troubles(): readonly string[] {
    return [...this.requests.troubles, ...(this.kafka?.troubles ?? [])];
  }

  ownerOf(run: AgentRun): AcceptLog {
    return this.#all.find((log) => log.owns(run)) ?? this.requests;
  }

  mayPublish(run: AgentRun, again: () => void): "now" | "later" | "never" {
    return this.kafka?.mayPublish(run, again) ?? "now";
  }

  released(trace: TraceEntry): void {
    for (const log of this.#all) log.released(trace);
  }

  abandoned(trace: TraceEntry): Promise<void[]> {
    return Promise.all(this.#all.map((log) => log.abandoned(trace)));
  }

  /** Marks traces as finished. Resolves to the traces that every log with records of the trace has marked as finished. */
  async finish(traces: readonly TraceState[]): Promise<readonly TraceState[]> {
    const unfinished = new Set<string>();
    for (const log of this.#all) {
      const own = traces.map(({ traceId }) => traceId).filter((id) => log.retains(id));
      if (await log.finish(own)) continue;
      for (const id of own) unfinished.add(id);
    }
    return traces.filter(({ traceId }) => !unfinished.has(traceId));
  }

  relinquish(): void {
    for (const log of this.#all) log.relinquish();
  }

  async stop(): Promise<void> {
    for (const log of this.#all) await log.stop();
  }
}
