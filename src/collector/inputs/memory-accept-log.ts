import type { TailForwarder } from "../../export/forward/tail/tail-forwarder.ts";
import type { VerdictNote } from "../../journal/delivery-ledger.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import type { ReceivedRequest } from "../../receive/ports.ts";
import type { Engine } from "../../replay/engine.ts";
import type { RequestLog } from "./accept-log.ts";

const unrecorded: VerdictNote = {
  sendingOf: () => ({ isInFile: false, maybeSent: false }),
  noteDelivered: () => Promise.resolve(),
};

/** Accept log without a journal: telemetry is only in memory, and open traces are judged when the process stops. */
export class MemoryAcceptLog implements RequestLog {
  readonly troubles = [];
  readonly isDurable = false;
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

  /** Passes the request to tail-based forwarding, which holds it until its traces are judged. */
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

  mayPublish(): "now" {
    return "now";
  }

  begin(): boolean {
    return true;
  }

  noteVerdict(): Promise<VerdictNote> {
    return Promise.resolve(unrecorded);
  }

  noteForwarded(): Promise<void> {
    return Promise.resolve();
  }

  released(): void {
    // There are no records to release without a journal.
  }

  abandoned(): Promise<void> {
    return Promise.resolve();
  }

  retains(): boolean {
    return false;
  }

  finish(): Promise<boolean> {
    return Promise.resolve(true);
  }

  relinquish(): void {
    this.#engine?.pipeline.drain("shutdown", this.#now());
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}
