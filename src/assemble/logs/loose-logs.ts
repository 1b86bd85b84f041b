import type { LooseLog, RowRef } from "../batches/row-ref.ts";
import { LogsByTime } from "./logs-by-time.ts";

/** Log records without a trace id, by source (service and scope), and also by the call or tool that they name. */
export class LooseLogs<Log extends LooseLog = LooseLog> {
  readonly #bySource = new LogsByTime<Log>();
  readonly #bySubject = new Map<string, Set<Log>>();
  readonly #sourceOf: (log: Log) => string;

  constructor(sourceOf: (log: Log) => string) {
    this.#sourceOf = sourceOf;
  }

  add(log: Log): void {
    this.#bySource.add(this.#sourceOf(log), log);
    if (log.subject === undefined) return;
    const known = this.#bySubject.get(log.subject);
    if (known === undefined) this.#bySubject.set(log.subject, new Set([log]));
    else known.add(log);
  }

  /** Removes and returns the records that the source wrote during the span, then those that name the span's call or tool. */
  takeFor(span: RowRef, source: string, subjects: readonly string[]): Log[] {
    const taken = this.#bySource.takeDuring(source, span);
    for (const log of taken) this.#forgetSubject(log);
    for (const subject of subjects)
      for (const log of this.#bySubject.get(subject) ?? []) {
        this.#bySource.remove(this.#sourceOf(log), log);
        this.#forgetSubject(log);
        taken.push(log);
      }
    return taken;
  }

  /** Removes and returns the oldest record of a source. */
  takeOldest(): Log | undefined {
    const oldest = this.#bySource.takeOldest();
    if (oldest !== undefined) this.#forgetSubject(oldest);
    return oldest;
  }

  rest(): Log[] {
    return this.#bySource.rest();
  }

  #forgetSubject(log: Log): void {
    if (log.subject === undefined) return;
    const known = this.#bySubject.get(log.subject);
    known?.delete(log);
    if (known?.size === 0) this.#bySubject.delete(log.subject);
  }
}
