import type { Socket } from "node:net";
import type { ReceiveContext } from "./context.ts";
import type { CutReason } from "./ports.ts";
import type { Watched } from "./watch.ts";

/** One accepted connection: cut when it brings no request in time, left to its requests while it has some. */
export class Connection implements Watched {
  readonly #context: ReceiveContext;
  readonly #socket: Socket;
  /** Requests that are not finished. */
  #active = 0;
  #phase: "headers" | "idle" = "headers";
  #since = performance.now();
  #bytesAtIdle = 0;
  #goAway: (() => void) | null = null;

  constructor(context: ReceiveContext, socket: Socket) {
    this.#context = context;
    this.#socket = socket;
  }

  /** No request is in flight. */
  get idle(): boolean {
    return this.#active === 0;
  }

  requestStarted(): void {
    this.#active++;
  }

  requestEnded(): void {
    this.#active--;
    if (this.#active > 0) return;
    if (this.#context.draining) this.drain();
    else this.#enterIdle();
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
    if (this.#goAway !== null) this.#goAway();
    else if (this.#active === 0) this.#socket.destroy();
  }

  check(nowMs: number): void {
    if (this.#active > 0) return;
    const { headersMs, idleMs } = this.#context.timeouts;
    const waited = nowMs - this.#since;
    if (this.#phase === "headers") {
      if (waited > headersMs) this.cut("headers");
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
