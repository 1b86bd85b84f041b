import type { Socket } from "node:net";
import type { ReceiveContext } from "./context.ts";
import type { Admission, ConnectionAdmission, CutReason, HeaderOf } from "../ports.ts";
import type { Watched } from "./watch.ts";

/** A request on a connection. It exists from the arrival of its headers. */
export interface OpenRequest {
  /** Marks the request as ended; further calls have no effect. Returns true if the sender disconnected before it got the response. */
  closed(): boolean;
}

/**
 * One accepted connection. A connection without a request is closed after a time limit (`idleMs`). While a request is in flight, only the
 * time limits of the request apply.
 */
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

  /** Returns the memory account for a request with these headers. */
  admissionFor(header: HeaderOf): Admission {
    return this.#account?.forRequest?.(header) ?? this.#account ?? this.#context.admission;
  }

  /** Whether the connection has no request in progress. */
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

  /** Ends all requests of a closed socket. Of several pipelined requests, Node reports the close only to the first. */
  closed(): void {
    for (const request of this.#requests) request.closed();
    this.#requests.clear();
    this.#account?.close();
  }

  /**
   * Switches the connection to HTTP/2. Afterwards the time limit for request headers does not apply to the connection. `goAway`: announces
   * to the sender that the connection closes.
   */
  becomeHttp2(goAway: () => void): void {
    this.#goAway = goAway;
    this.#enterIdle();
  }

  cut(reason: CutReason): void {
    this.#context.events.connectionCut(reason);
    this.#socket.destroy();
  }

  /** Closes the connection as soon as no request is in flight. An HTTP/1 connection closes after its current response. */
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
