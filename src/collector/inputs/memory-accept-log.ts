import type { TailForwarder } from "../../export/forward/tail/tail-forwarder.ts";
import type { Sending } from "../../journal/delivery-ledger.ts";
import type { AgentRun } from "../../model/run.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import type { ReceivedRequest } from "../../receive/ports.ts";
import type { Engine } from "../../replay/engine.ts";
import type { RequestLog } from "./accept-log.ts";

const sending: Sending = { isInFile: false, maybeSent: false, done: () => undefined };

/** Without a journal: telemetry is in memory only, and what is open at the end is judged then. */
export class MemoryAcceptLog implements RequestLog {
  readonly troubles = [];
  readonly isDurable = false;
  readonly unwritten = 0;
  readonly #tailForwarder: TailForwarder | null;
  readonly #now: () => number;
  #engine: Engine | undefined;

  constructor(tailForwarder: TailForwarder | null, now: () => number) {
    this.#tailForwarder = tailForwarder;
    this.#now = now;
  }

  start(engine: Engine): void {
    this.#engine = engine;
  }

  append(batch: Batch, request: ReceivedRequest): undefined {
    if (this.#tailForwarder !== null) this.#hold(this.#tailForwarder, batch, request);
    this.#engine?.pipeline.accept(batch, this.#now());
    return undefined;
  }

  /** Keeps the request's parts until its traces are judged. */
  #hold(tailForwarder: TailForwarder, batch: Batch, request: ReceivedRequest): void {
    const { signal, encoding, sent } = request;
    const header = (name: string): string | undefined => sent?.header(name);
    const isCompressed = (sent?.coding ?? null) !== null;
    const about = { signal, encoding, isCompressed, header, number: 0 };
    tailForwarder.add(batch, about, this.#now(), { request });
  }

  owns(): boolean {
    return true;
  }

  closed(): boolean {
    return true;
  }

  forgotten(): boolean {
    return true;
  }

  mayPublish(): "now" {
    return "now";
  }

  begin(): boolean {
    return true;
  }

  publish(
    _run: AgentRun,
    verdicts: readonly Verdict[],
    send: (verdict: Verdict, sending: Sending) => void,
  ): void {
    for (const verdict of verdicts) send(verdict, sending);
  }

  end(): void {
    // nothing was recorded
  }

  recordForwarded(): Promise<void> {
    return Promise.resolve();
  }

  relinquish(): void {
    this.#engine?.pipeline.drain("shutdown", this.#now());
  }

  settled(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
