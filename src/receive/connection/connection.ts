import type { Socket } from "node:net";
import type { ReceiveContext } from "./context.ts";
import type { Admission, ConnectionAdmission, CutReason, HeaderOf } from "../ports.ts";
import type { Watched } from "./watch.ts";

/** A request on a connection, from its headers on. */
export interface OpenRequest {
  /** Everything about the request is over; may be called again. True when its sender went before the answer. */
  closed(): boolean;
}

/** One accepted connection: cut when it brings no request in time, left to its requests while it has some. */
export class Connection implements Watched {
  readonly #context: ReceiveContext;
  readonly #socket: Socket;
  readonly #requests = new Set<OpenRequest>();
  readonly #account: ConnectionAdmission | undefined;
  #phase: "headers" | "idle" | "goodbye" = "headers";
  #since = performance.now();
  #bytesAtIdle = 0;
  #goAway: (() => void) | null = null;

  constructor(context: ReceiveContext, socket: Socket) {
    this.#context = context;
    this.#socket = socket;
    this.#account = context.admission.open?.();
  }

  /** The memory account for a request with this head. */
  admissionFor(header: HeaderOf): Admission {
    return this.#account?.forRequest?.(header) ?? this.#account ?? this.#context.admission;
  }

  /** No request is in flight. */
  get idle(): boolean {
    return this.#requests.size === 0;
  }

  requestStarted(request: OpenRequest): void {
    this.#requests.add(request);
  }

  requestEnded(request: OpenRequest): void {
    if (!this.#requests.delete(request) || !this.idle) return;
    if (this.#context.draining) this.drain();
    else this.#enterIdle();
  }

  /** Call this when the socket has closed. Node informs only the first of pipelined requests. */
  closed(): void {
    for (const request of this.#requests) request.closed();
    this.#requests.clear();
    this.#account?.close();
  }

  /** From now on bytes without a request are no headers in the making, and the end is announced by `goAway`. */
  becomeHttp2(goAway: () => void): void {
    this.#goAway = goAway;
    this.#enterIdle();
  }

  cut(reason: CutReason): void {
    this.#context.events.connectionCut(reason);
    this.#socket.destroy();
  }

  /** Ends as soon as nothing is in flight; an HTTP/1 connection with a request in flight ends itself after the answer. */
  drain(): void {
    if (this.#goAway === null) {
      if (this.idle) this.#socket.destroy();
      return;
    }
    this.#phase = "goodbye";
    this.#since = performance.now();
    this.#goAway();
  }

  check(nowMs: number): void {
    if (!this.idle) return;
    const { headersMs, idleMs, lingerMs } = this.#context.timeouts;
    const waited = nowMs - this.#since;
    if (this.#phase === "headers") {
      if (waited > headersMs) this.cut("headers");
    } else if (this.#phase === "goodbye") {
      if (waited > lingerMs) this.#socket.destroy();
    } else if (waited > idleMs) {
      this.#context.events.connectionCut("idle");
      this.drain();
    } else if (this.#goAway === null && this.#socket.bytesRead > this.#bytesAtIdle) {
      this.#phase = "headers";
      this.#since = nowMs;
    }
  }

  #enterIdle(): void {
    this.#phase = "idle";
    this.#since = performance.now();
    if (this.#goAway === null) this.#bytesAtIdle = this.#socket.bytesRead;
  }
}
