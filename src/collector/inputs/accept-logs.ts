import type { OpenTrace } from "../../assemble/open-trace.ts";
import type { Trace } from "../../assemble/trace.ts";
import type { Sending } from "../../journal/delivery-ledger.ts";
import type { Forwarded } from "../../journal/records/record-kinds.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { AcceptLog, RequestLog } from "./accept-log.ts";

/** The accept logs of one process: Kafka's where it is read, and that of requests. The first that owns a run records it. */
export class AcceptLogs implements Omit<AcceptLog, "start" | "owns"> {
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

  get isDurable(): boolean {
    return this.#all.some(({ isDurable }) => isDurable);
  }

  get unwritten(): number {
    return this.#all.reduce((sum, { unwritten }) => sum + unwritten, 0);
  }

  closed(trace: Trace): boolean {
    return this.#all.some((log) => log.closed(trace));
  }

  forgotten(trace: OpenTrace): boolean {
    return this.#all.some((log) => log.forgotten(trace));
  }

  mayPublish(run: AgentRun, again: () => void): "now" | "later" | "never" {
    return this.kafka?.mayPublish(run, again) ?? "now";
  }

  begin(run: AgentRun): boolean {
    return this.#ownerOf(run).begin(run);
  }

  publish(
    run: AgentRun,
    verdicts: readonly Verdict[],
    send: (verdict: Verdict, sending: Sending) => void,
  ): void {
    this.#ownerOf(run).publish(run, verdicts, send);
  }

  end(run: AgentRun): void {
    for (const log of this.#all) log.end(run);
  }

  recordForwarded(forwarded: Forwarded): Promise<void> {
    return this.requests.recordForwarded(forwarded);
  }

  relinquish(): void {
    for (const log of this.#all) log.relinquish();
  }

  async settled(): Promise<void> {
    await Promise.all(this.#all.map((log) => log.settled()));
  }

  async stop(): Promise<void> {
    for (const log of this.#all) await log.stop();
  }

  #ownerOf(run: AgentRun): AcceptLog {
    return this.#all.find((log) => log.owns(run)) ?? this.requests;
  }
}
