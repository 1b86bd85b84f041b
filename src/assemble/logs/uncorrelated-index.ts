import type { UncorrelatedLog, RowRef } from "../batches/row-ref.ts";
import { compareColumns } from "../batches/rows.ts";
import { LogColumn } from "../../otlp/rows/columns.ts";
import { LogsByTime } from "./logs-by-time.ts";

/** Log records without a trace id: by source (service and scope), by source and session, and by the call or tool that they name. */
export class UncorrelatedIndex<Log extends UncorrelatedLog = UncorrelatedLog> {
  readonly #bySource = new LogsByTime<Log>();
  readonly #bySession = new LogsByTime<Log>();
  readonly #bySubject = new Map<string, Set<Log>>();
  readonly #sourceOf: (log: Log) => string;

  constructor(sourceOf: (log: Log) => string) {
    this.#sourceOf = sourceOf;
  }

  add(log: Log): void {
    const source = this.#sourceOf(log);
    this.#bySource.add(source, log);
    this.#bySession.add(sessionKey(source, log.session), log);
    if (log.subject === undefined) return;
    const known = this.#bySubject.get(log.subject);
    if (known === undefined) this.#bySubject.set(log.subject, new Set([log]));
    else known.add(log);
  }

  /** Whether there are records of the source. */
  has(source: string): boolean {
    return this.#bySource.has(source);
  }

  /**
   * Removes and returns the records that the source wrote during the span, followed by those that name the span's call or tool.
   * @param sessions sessions of the span's trace; if there are any, records that name another session are not returned
   */
  takeFor(span: RowRef, source: string, sessions: readonly string[], subjects: readonly string[]): Log[] {
    const taken = this.#takeDuring(span, source, sessions);
    for (const log of taken) this.#forgetSubject(log);
    for (const subject of subjects)
      for (const log of this.#bySubject.get(subject) ?? []) {
        const own = this.#sourceOf(log);
        this.#bySource.remove(own, log);
        this.#bySession.remove(sessionKey(own, log.session), log);
        this.#forgetSubject(log);
        taken.push(log);
      }
    return taken;
  }

  #takeDuring(span: RowRef, source: string, sessions: readonly string[]): Log[] {
    if (sessions.length === 0) {
      const taken = this.#bySource.takeDuring(source, span);
      for (const log of taken) this.#bySession.remove(sessionKey(source, log.session), log);
      return taken;
    }
    const taken = [undefined, ...sessions].flatMap((session) =>
      this.#bySession.takeDuring(sessionKey(source, session), span),
    );
    for (const log of taken) this.#bySource.remove(source, log);
    return taken.sort((a, b) => compareColumns(a, LogColumn.time, b, LogColumn.time));
  }

  /** Removes and returns the first record of the source that was added to the index first; undefined if there are no records. */
  takeOldest(): Log | undefined {
    const oldest = this.#bySource.takeOldest();
    if (oldest === undefined) return undefined;
    this.#bySession.remove(sessionKey(this.#sourceOf(oldest), oldest.session), oldest);
    this.#forgetSubject(oldest);
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

function sessionKey(source: string, session: string | undefined): string {
  return `${source}\u0000${session ?? ""}`;
}
