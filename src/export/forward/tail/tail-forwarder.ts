import { setTimeout as sleep } from "node:timers/promises";
import type { Trace } from "../../../assemble/trace.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { Verdict } from "../../../model/verdict.ts";
import type { Batch } from "../../../otlp/rows/batch.ts";
import type { ReceivedRequest, Refusal } from "../../../receive/ports.ts";
import { Multiset } from "../../../support/structures/multiset.ts";
import { type EventsOf, heldBodies } from "./held-bodies.ts";
import type { HeldTrace } from "./held-trace.ts";
import type { Decided, TailBuffer } from "./tail-buffer.ts";
import type { KeepDecision } from "./keep.ts";
import type { Outgoing } from "../outgoing.ts";

/** A backend with tail-based forwarding. */
export interface TailRoute {
  readonly name: string;
  readonly key: string;
  readonly formerKey: string;
  readonly hold: TailBuffer;
  /** Encodes verdicts as span events for the judged root span; null if forwarded spans get no events. */
  readonly eventsOf: EventsOf | null;
  readonly headerNames: readonly string[];
  headersFor(header: HeaderOf): Record<string, string>;
  /** Queues a request for the backend. Resolves to null once the request is stored, otherwise to a refusal. */
  offer(outgoing: Outgoing): Promise<Refusal | null>;
  unfit(outgoing: Pick<Outgoing, "signal">, error: unknown): void;
}

export type HeaderOf = (name: string) => string | undefined;

/** Facts about a request whose records are held. */
export interface HeldAbout {
  readonly signal: ReceivedRequest["signal"];
  readonly encoding: ReceivedRequest["encoding"];
  readonly isCompressed: boolean;
  readonly header: HeaderOf;
  readonly number: number;
}

/** A decision that was carried out for some traces, as it is stored in the journal. */
export interface ForwardedRecord {
  readonly destination: string;
  readonly kept: boolean;
  readonly traceIds: readonly string[];
  /** Number of the newest request that the decision covers. */
  readonly through: number;
}

export interface TailEvents {
  decided(destination: string, traceId: string, decision: KeepDecision): void;
  /** Stores which traces were forwarded or dropped. Resolves once the record is stored. */
  note(note: ForwardedRecord): Promise<void>;
  /** Reports an exception that occurred for a trace. The trace is then forwarded without verdicts. */
  failed(traceId: string, error: unknown): void;
}

const RETRY_MS = 250;

/** Tail-based forwarding: holds traces until they are judged, then forwards or drops each trace, separately for each backend. */
export class TailForwarder {
  readonly routes: readonly TailRoute[];
  /** Event callbacks; must be set before the first decision. */
  events: TailEvents = {
    decided: () => undefined,
    note: () => Promise.resolve(),
    failed: () => undefined,
  };
  /** Traces that were decided, but whose requests are not yet queued. */
  readonly #leaving = new Multiset<string>();
  readonly #rests = new WeakMap<ReceivedRequest, Map<string, Uint8Array | "whole" | null>>();
  readonly #working = new Set<Promise<void>>();
  #isClosed = false;

  constructor(routes: readonly TailRoute[]) {
    this.routes = routes;
    for (const { hold } of routes) hold.onFault = (traceId, error) => this.events.failed(traceId, error);
  }

  /** Memory in bytes that only tail-based forwarding retains. */
  get heldBytes(): number {
    return this.routes.reduce((sum, { hold }) => sum + hold.heldBytes, 0);
  }

  /** Restores which traces an earlier process has already forwarded or dropped. */
  resume(notes: readonly ForwardedRecord[]): void {
    for (const { destination, kept, traceIds, through } of notes)
      for (const { key, formerKey, hold } of this.routes)
        if (key === destination || formerKey === destination)
          hold.resume(traceIds, { kept, why: "restart" }, through);
  }

  get headerNames(): readonly string[] {
    return this.routes.flatMap((route) => route.headerNames);
  }

  /**
   * Holds the records of a request that have a trace id.
   * @param from the received request; for a request of an earlier process, the ids of traces that are finished
   */
  add(
    batch: Batch,
    about: HeldAbout,
    sinceMs: number,
    {
      request,
      finished,
    }: { request?: ReceivedRequest | undefined; finished?: ReadonlySet<string> | undefined },
  ): void {
    const { signal, encoding, isCompressed, number, header } = about;
    const rests = new Map<string, Uint8Array | "whole" | null>();
    for (const route of this.routes) {
      const held = { batch, signal, encoding, isCompressed, number, headers: route.headersFor(header) };
      rests.set(route.key, route.hold.add(held, sinceMs, finished));
    }
    if (request !== undefined) this.#rests.set(request, rests);
  }

  /** Returns the part of a request to forward at once: null if all records are held, `whole` if none is. */
  restOf(request: ReceivedRequest, key: string): Uint8Array | "whole" | null {
    return this.#rests.get(request)?.get(key) ?? (this.#rests.has(request) ? null : "whole");
  }

  closed(trace: Trace): void {
    for (const { hold } of this.routes) hold.closed(trace);
  }

  gone(traceId: string): void {
    for (const { hold } of this.routes) hold.gone(traceId);
  }

  /** @param verdicts null if they are unknown, because an earlier process judged the run */
  judged(run: AgentRun, verdicts: readonly Verdict[] | null): void {
    for (const { hold } of this.routes) hold.judged(run, verdicts);
  }

  /** Forwards or drops the traces that are judged, or whose maximum time is over. Call `tick` several times a second. */
  tick(settled: ReadonlySet<string>, nowMs: number): void {
    for (const route of this.routes)
      if (route.hold.size > 0) this.#leave(route, route.hold.decide(settled, nowMs));
  }

  /**
   * For each backend, forwards the oldest traces that only the backend's buffer retains, until `bytes` bytes are free. Does not wait for
   * verdicts.
   */
  evict(bytes: number): void {
    for (const route of this.routes) this.#leave(route, route.hold.evict(bytes));
  }

  /** Whether records of the trace are held, or were decided but are not yet queued for their backend. */
  holds(traceId: string): boolean {
    return this.#leaving.has(traceId) || this.routes.some(({ hold }) => hold.has(traceId));
  }

  /**
   * Ends tail-based forwarding. Resolves when the decided traces are queued for their backends, or stay in the journal for the next
   * process.
   * @param sendsOn if true, held traces are forwarded now, without waiting for verdicts; if false, held traces stay in the journal
   */
  async close(sendsOn: boolean): Promise<void> {
    if (sendsOn) for (const route of this.routes) this.#leave(route, route.hold.drain());
    this.#isClosed = true;
    await Promise.all(this.#working);
  }

  #leave(route: TailRoute, decided: readonly Decided[]): void {
    if (decided.length === 0) return;
    for (const { trace, kept, why, isLate } of decided) {
      this.#leaving.add(trace.traceId);
      // The decision about the trace of a late record was already reported.
      if (!isLate) this.events.decided(route.name, trace.traceId, { kept, why });
    }
    const work = this.#carryOut(route, decided)
      .catch((error: unknown) => {
        for (const { trace } of decided) this.events.failed(trace.traceId, error);
      })
      .finally(() => {
        this.#working.delete(work);
        for (const { trace } of decided) this.#leaving.remove(trace.traceId);
      });
    this.#working.add(work);
  }

  async #carryOut(route: TailRoute, decided: readonly Decided[]): Promise<void> {
    const kept = decided.filter((one) => one.kept).map(({ trace }) => trace);
    if (!(await this.#send(route, kept))) return;
    // Decisions about late records are not stored, so these records may be sent twice after a crash.
    const fresh = decided.filter(({ isLate }) => !isLate);
    for (const isKept of [true, false]) {
      const traces = fresh.filter((one) => one.kept === isKept).map(({ trace }) => trace);
      if (traces.length > 0) await this.events.note(noteOf(route.key, isKept, traces));
    }
  }

  /** Offers the traces to the backend's queue until it accepts them. Resolves to false if the forwarder was closed first. */
  async #send(route: TailRoute, traces: readonly HeldTrace[]): Promise<boolean> {
    for (const body of await this.#bodiesOf(route, traces)) {
      while ((await route.offer(body)) !== null) {
        if (this.#isClosed) return false;
        await sleep(RETRY_MS);
      }
    }
    return true;
  }

  /**
   * Encodes traces. A trace is encoded without its verdicts if adding them fails. A trace that cannot be encoded is dropped and counted.
   */
  async #bodiesOf(route: TailRoute, traces: readonly HeldTrace[]): Promise<readonly Outgoing[]> {
    try {
      return await heldBodies(traces, route.eventsOf);
    } catch {
      const apart = traces.map((trace) =>
        heldBodies([trace], route.eventsOf)
          .catch((error: unknown) => {
            this.events.failed(trace.traceId, error);
            return heldBodies([trace], null);
          })
          .catch((error: unknown) => {
            route.unfit({ signal: "traces" }, error);
            return [];
          }),
      );
      return (await Promise.all(apart)).flat();
    }
  }
}

function noteOf(destination: string, kept: boolean, traces: readonly HeldTrace[]): ForwardedRecord {
  return {
    destination,
    kept,
    traceIds: traces.map(({ traceId }) => traceId),
    through: Math.max(...traces.map(({ through }) => through)),
  };
}
