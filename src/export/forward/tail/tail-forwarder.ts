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
  /** Key of the backend in the journal. */
  readonly key: string;
  /** Key of the backend in the journals of earlier versions. */
  readonly formerKey: string;
  readonly hold: TailBuffer;
  /** Returns verdicts as span events of their root span; null if they are not added. */
  readonly eventsOf: EventsOf | null;
  /** Sender's headers that are forwarded, in lower case. */
  readonly headerNames: readonly string[];
  headersFor(header: HeaderOf): Record<string, string>;
  /** Stores a request for the backend. Resolves to the refusal if that is not possible. */
  offer(outgoing: Outgoing): Promise<Refusal | null>;
  unfit(outgoing: Pick<Outgoing, "signal">, error: unknown): void;
}

export type HeaderOf = (name: string) => string | undefined;

/** Data of a request with held records. */
export interface HeldAbout {
  readonly signal: ReceivedRequest["signal"];
  readonly encoding: ReceivedRequest["encoding"];
  readonly isCompressed: boolean;
  readonly header: HeaderOf;
  /** Number of the request in the journal; 0 without a journal. */
  readonly number: number;
}

/** Decisions about traces, which are recorded after they are carried out. */
export interface ForwardedRecord {
  readonly destination: string;
  readonly kept: boolean;
  readonly traceIds: readonly string[];
  /** Number of the newest request that the decision covers. */
  readonly through: number;
}

export interface TailEvents {
  decided(destination: string, traceId: string, decision: KeepDecision): void;
  /** Records decisions that were carried out. Resolves when the decisions are stored. */
  note(note: ForwardedRecord): Promise<void>;
  /** Called with an exception while a trace is processed. The trace is forwarded as it is. */
  failed(traceId: string, error: unknown): void;
}

const RETRY_MS = 250;

/** Holds traces for backends with tail-based forwarding, and forwards or drops them after the decision. */
export class TailForwarder {
  readonly routes: readonly TailRoute[];
  /** Event callbacks; set them before the first decision. */
  events: TailEvents = {
    decided: () => undefined,
    note: () => Promise.resolve(),
    failed: () => undefined,
  };
  /** Traces that are decided and whose decision is not carried out yet. */
  readonly #leaving = new Multiset<string>();
  readonly #rests = new WeakMap<ReceivedRequest, Map<string, Uint8Array | "whole" | null>>();
  readonly #working = new Set<Promise<void>>();
  #isClosed = false;

  constructor(routes: readonly TailRoute[]) {
    this.routes = routes;
    for (const { hold } of routes) hold.onFault = (traceId, error) => this.events.failed(traceId, error);
  }

  /** Memory in bytes that no other account contains. */
  get heldBytes(): number {
    return this.routes.reduce((sum, { hold }) => sum + hold.heldBytes, 0);
  }

  /** Restores decisions that an earlier process carried out. */
  resume(notes: readonly ForwardedRecord[]): void {
    for (const { destination, kept, traceIds, through } of notes)
      for (const { key, formerKey, hold } of this.routes)
        if (key === destination || formerKey === destination)
          hold.resume(traceIds, { kept, why: "restart" }, through);
  }

  /** Headers that must be stored to forward a request after a restart, in lower case. */
  get headerNames(): readonly string[] {
    return this.routes.flatMap((route) => route.headerNames);
  }

  /**
   * Holds the records of a journalled request that have a trace id.
   * @param from the request; for a request of an earlier process, its finished traces
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

  /** Returns the part of a request to forward at once; null if there is none. */
  restOf(request: ReceivedRequest, key: string): Uint8Array | "whole" | null {
    return this.#rests.get(request)?.get(key) ?? (this.#rests.has(request) ? null : "whole");
  }

  closed(trace: Trace): void {
    for (const { hold } of this.routes) hold.closed(trace);
  }

  gone(traceId: string): void {
    for (const { hold } of this.routes) hold.gone(traceId);
  }

  /** @param verdicts null if an earlier process judged the run */
  judged(run: AgentRun, verdicts: readonly Verdict[] | null): void {
    for (const { hold } of this.routes) hold.judged(run, verdicts);
  }

  /** Releases decided traces, and traces whose maximum wait is over. Call this several times a second. */
  tick(settled: ReadonlySet<string>, nowMs: number): void {
    for (const route of this.routes)
      if (route.hold.size > 0) this.#leave(route, route.hold.decide(settled, nowMs));
  }

  /** Forwards the oldest traces as they are, until this many bytes are free. */
  evict(bytes: number): void {
    for (const route of this.routes) this.#leave(route, route.hold.evict(bytes));
  }

  /** Whether spans of the trace still have to reach a backend's queue. */
  holds(traceId: string): boolean {
    return this.#leaving.has(traceId) || this.routes.some(({ hold }) => hold.has(traceId));
  }

  /** @param sendsOn whether held traces are forwarded unchanged; if false, they stay in the journal */
  async close(sendsOn: boolean): Promise<void> {
    if (sendsOn) for (const route of this.routes) this.#leave(route, route.hold.drain());
    this.#isClosed = true;
    await Promise.all(this.#working);
  }

  #leave(route: TailRoute, decided: readonly Decided[]): void {
    if (decided.length === 0) return;
    for (const { trace, kept, why, isLate } of decided) {
      this.#leaving.add(trace.traceId);
      // Late records follow their trace's decision.
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
    // Decisions about late records are not recorded; after a crash late records may be sent twice.
    const fresh = decided.filter(({ isLate }) => !isLate);
    for (const isKept of [true, false]) {
      const traces = fresh.filter((one) => one.kept === isKept).map(({ trace }) => trace);
      if (traces.length > 0) await this.events.note(noteOf(route.key, isKept, traces));
    }
  }

  /** Puts traces into the backend's queue. Resolves to false if that was not possible before the end. */
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
   * Encodes traces. If verdicts cannot be added to a trace, it is encoded without them. If a trace cannot be
   * encoded, it is left out.
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
