import { tooLarge, type Answer } from "../http/answer.ts";
import { freeBuffer } from "../body/free-buffer.ts";
import type { Coding } from "../body/content-coding.ts";
import type { ReceiveContext } from "../connection/context.ts";
import { inflate } from "../body/inflate.ts";
import type { Inflated } from "../body/inflated.ts";
import type { Acceptance, Admission, ReceivedRequest, Refusal } from "../ports.ts";
import { Reservation } from "./reservation.ts";
import { LARGE_BODY_BYTES, type Turn } from "../connection/turns.ts";

export interface Caller {
  /** Whether the sender has disconnected. */
  readonly gone: boolean;
  /** Returns the response that refuses the body; null if the body is accepted. */
  objection(): Answer | null;
  answer(answer: Answer, request: ReceivedRequest, bodyBytes: number): void;
  header(name: string): string | undefined;
}

type IntakeContext = Pick<ReceiveContext, "accept" | "log" | "maxBody" | "turns">;

/** Handles one body of HTTP or gRPC: decompresses it, passes it to `accept`, and sends the response. */
export class Intake {
  readonly #context: IntakeContext;
  readonly #caller: Caller;
  readonly #limit: number;
  #taken = false;
  #turn: Turn | undefined;
  /** Whether the work on the body has ended. A turn that begins after this must end at once. */
  #isOver = false;
  readonly reservation: Reservation;

  constructor(context: IntakeContext, admission: Admission, caller: Caller) {
    this.#context = context;
    this.#caller = caller;
    this.#limit = context.maxBody;
    this.reservation = new Reservation(admission);
  }

  /** Handles a complete body, as it was received. Sends exactly one response, or none if the sender has disconnected. */
  take(body: Uint8Array, coding: Coding | null, about: ReceivedRequest): void {
    this.#taken = true;
    const caller = this.#caller;
    const request = { ...about, sent: { body, coding, header: (name: string) => caller.header(name) } };
    if (coding === null && body.length <= LARGE_BODY_BYTES) return this.#relinquish(body, request);
    const awaitTurn = (bytes: number): Promise<Refusal | null> => this.#awaitTurn(bytes);
    const inflating =
      coding === null ? this.#uncoded(body) : inflate(coding, body, this.#limit, this.reservation, awaitTurn);
    inflating.then(
      (inflated) => this.#inflated(inflated, coding, request),
      (error: unknown) => this.#failed(error, request),
    );
  }

  /** Releases the memory of a request that ended before its body was accepted. */
  drop(): void {
    if (!this.#taken) this.reservation.release();
  }

  /** Waits for a turn if an uncompressed body is large, and returns the body unchanged. */
  async #uncoded(body: Uint8Array): Promise<Inflated> {
    return (await this.#awaitTurn(body.length)) ?? { kind: "whole", body };
  }

  async #awaitTurn(bytes: number): Promise<Refusal | null> {
    if (bytes <= LARGE_BODY_BYTES || this.#turn !== undefined) return null;
    const turn = await this.#context.turns.take(bytes);
    if ("kind" in turn) return turn;
    if (this.#isOver) {
      // While the body waited, it was refused: its bytes before the pause were malformed.
      turn.end();
      return GONE;
    }
    this.#turn = turn;
    return this.#caller.gone ? GONE : null;
  }

  #endTurn(): void {
    this.#isOver = true;
    this.#turn?.end();
  }

  #inflated(inflated: Inflated, coding: Coding | null, request: ReceivedRequest): void {
    switch (inflated.kind) {
      case "whole":
        this.reservation.shrinkTo(inflated.body.length);
        return this.#relinquish(inflated.body, request);
      case "too_large":
        return this.#answer(tooLarge(this.#limit), request, 0);
      case "malformed":
        return this.#answer({ kind: "malformed", message: notCoded(coding, inflated.message) }, request, 0);
      case "unavailable":
      case "throttled":
        return this.#answer(inflated, request, 0);
    }
  }

  #relinquish(body: Uint8Array, request: ReceivedRequest): void {
    const bytes = body.length;
    const objection = this.#caller.gone ? null : this.#caller.objection();
    if (objection !== null || this.#caller.gone) {
      this.#endTurn();
      freeBuffer(body);
      this.reservation.release();
      if (objection !== null) this.#caller.answer(objection, request, bytes);
      return;
    }
    let acceptance: Acceptance | Promise<Acceptance>;
    try {
      acceptance = this.#context.accept(body, request);
    } catch (error) {
      return this.#failed(error, request);
    }
    this.#endTurn();
    const settle = (settled: Acceptance): void => {
      // Only after these two refusals, neither a queue nor the journal uses the body.
      if (settled.kind === "malformed" || settled.kind === "too_large") freeBuffer(body);
      this.#answer(settled, request, bytes);
    };
    if (!(acceptance instanceof Promise)) return settle(acceptance);
    acceptance.then(settle, (error: unknown) => this.#failed(error, request));
  }

  #failed(error: unknown, request: ReceivedRequest): void {
    this.#context.log.error(
      { err: error, signal: request.signal },
      "a request was not accepted, because of an internal error of Tracejury",
    );
    this.#answer(
      { kind: "failed", message: "the request was not accepted, because of an internal error of Tracejury" },
      request,
      0,
    );
  }

  #answer(answer: Answer, request: ReceivedRequest, bodyBytes: number): void {
    this.#endTurn();
    this.reservation.release();
    if (!this.#caller.gone) this.#caller.answer(answer, request, bodyBytes);
  }
}

/** Result for a sender that disconnected while its request waited. The result is not sent. */
const GONE: Refusal = { kind: "unavailable", retryAfterS: 1, message: "the sender disconnected" };

function notCoded(coding: Coding | null, reason: string): string {
  return `the body is not valid ${coding}, although its Content-Encoding is ${coding}: ${reason}`;
}
