import type { Readable } from "node:stream";
import { denial, DRAINING, httpCode, statusOf, tooLarge, type Answer, type Problem } from "./answer.ts";
import { BodyBuffer } from "../body/body-buffer.ts";
import { ACCEPTED_CODINGS, type Coding } from "../body/content-coding.ts";
import type { OpenRequest } from "../connection/connection.ts";
import { crossOriginHeaders, pageRefusal, preflightHeaders } from "./cross-origin.ts";
import type { ReceiveContext } from "../connection/context.ts";
import { encodingOf, type HttpHeaders, intendedPath, readHead, signalOf } from "./http-head.ts";
import { Intake, type Caller } from "../intake/intake.ts";
import { Pace } from "../connection/pace.ts";
import type { Encoding } from "../../otlp/signal.ts";
import type { Admission, ReceivedRequest, RequestOutcome } from "../ports.ts";
import { encodeResponse, encodeStatus, responseJson, statusJson, wholeSeconds } from "../grpc/rpc-status.ts";
import type { Watched } from "../connection/watch.ts";

/** Response body as protobuf bytes or JSON text. */
export type Payload = Uint8Array | string;
type Send = (status: number, headers: HttpHeaders, payload: Payload) => void;

/**
 * Phases of a call: `new` → `body` → `handling` → `answering` → `closed`. After a refusal, the remaining body is read and dropped
 * (`discarding`, `lingering`) before the call is `closed`. If a time limit was exceeded, the connection or stream is `cut`.
 */
type Phase = "new" | "body" | "handling" | "answering" | "discarding" | "lingering" | "cut" | "closed";

/** Problems after which the connection is closed, so that the sender does not send the remaining body. */
const LAST_WORDS: ReadonlySet<Problem["kind"]> = new Set(["too_large", "unauthenticated", "forbidden"]);

const LONGEST_LOGGED_PATH = 200;

const CONTENT_TYPE = { protobuf: "application/x-protobuf", json: "application/json" } as const;

/** One OTLP/HTTP request. Subclasses implement HTTP/1 and HTTP/2. */
export abstract class HttpCall implements Caller, OpenRequest, Watched {
  protected readonly context: ReceiveContext;
  readonly #method: string;
  readonly #path: string;
  readonly #intake: Intake;
  #phase: Phase = "new";
  #since = 0;
  #pace: Pace | undefined;
  #coding: Coding | null = null;
  #encoding: Encoding = "json";
  #body: BodyBuffer | undefined;
  #wireBytes = 0;
  #counted = false;

  constructor(context: ReceiveContext, admission: Admission, method: string, path: string) {
    this.context = context;
    this.#method = method;
    this.#path = path;
    this.#intake = new Intake(context, admission, this);
  }

  protected abstract readonly incoming: Readable;
  abstract header(name: string): string | undefined;
  /** Returns the declared length of the body; undefined if no length is declared. */
  protected abstract declaredLength(): number | undefined;
  /** Sends `100 Continue` if the sender waits for it. */
  protected abstract proceed(): void;
  /** Sends the response to a request whose body was read completely. */
  protected abstract send(status: number, headers: HttpHeaders, payload: Payload): void;
  /** Sends a response before the body is complete. `last`: HTTP/1 closes the connection after the response; HTTP/2 ignores it. */
  protected abstract sendEarly(status: number, headers: HttpHeaders, payload: Payload, last: boolean): void;
  /** Ends a call whose refused body was read to its end. */
  protected abstract endEarly(): void;
  /** Whether the connection or stream has ended, so that no response can be sent. */
  protected abstract dead(): boolean;
  /** Closes the connection or stream without a response. */
  protected abstract cut(): void;
  /** Destroys the connection. Used if closing the stream had no effect, for example after an HTTP/2 protocol error. */
  protected abstract abandon(): void;

  /** Begins to handle the request. The handling ends when `closed` is called. */
  start(): void {
    this.#enter("new");
    this.context.watch.add(this);
    const foreign = pageRefusal(this.context, this);
    if (foreign !== null) return this.#refuse(foreign);
    const preflight = preflightHeaders(this.context.crossOrigin, this.#method, this);
    if (preflight !== null) return this.#answerPreflight(preflight);
    const problem = this.context.draining ? DRAINING : this.#begin();
    if (problem !== null) return this.#refuse(problem);
    this.#enter("body");
    this.proceed();
    this.#listen();
  }

  get gone(): boolean {
    return this.#phase === "closed" || this.dead();
  }

  objection(): null {
    return null;
  }

  answer(answer: Answer, request: ReceivedRequest, bodyBytes: number): void {
    this.#count(answer.kind, bodyBytes);
    this.#enter("answering");
    if (answer.kind !== "accepted") return this.#sayProblem(answer, this.send.bind(this));
    const { rejected, message } = answer;
    const payload =
      request.encoding === "json"
        ? responseJson(request.signal, rejected, message)
        : encodeResponse(rejected, message);
    this.send(200, this.#headersFor(request.encoding, payload), payload);
  }

  check(nowMs: number): void {
    if (!this.#overdue(nowMs)) return;
    if (this.#phase === "cut") return this.abandon();
    this.#count("slow", 0);
    this.context.events.connectionCut(this.#phase === "answering" ? "response" : "body");
    this.#enter("cut");
    this.cut();
  }

  /**
   * Ends a call whose response was delivered, or whose sender disconnected. Returns true if the sender disconnected before it got the
   * response.
   */
  closed(): boolean {
    if (this.#phase === "closed") return false;
    const cancelled = !this.#counted;
    this.#drop();
    this.#phase = "closed";
    this.context.watch.delete(this);
    this.#count("cancelled", 0);
    return cancelled;
  }

  /** Reads the headers, and reserves memory for the body. */
  #begin(): Problem | null {
    const denied = denial(this.context.authorize(this.header("authorization")));
    if (denied !== null) return denied;
    const head = readHead(this.#method, this.#path, this);
    if ("kind" in head) {
      if (head.kind === "not_found" && this.#method === "POST") this.#logWrongPath();
      return head;
    }
    this.#coding = head.coding;
    this.#encoding = head.encoding;
    const declared = this.declaredLength();
    const limit = this.context.maxBody;
    if (declared !== undefined && declared > limit) return tooLarge(limit);
    this.#body = new BodyBuffer(declared, limit, this.#intake.reservation);
    return this.#body.reserve();
  }

  /** Logs a request to a wrong path. The sender may not log that its export failed. */
  #logWrongPath(): void {
    const expected = intendedPath(this.#path);
    if (expected === null) return;
    const path = this.#path.replace(/\?[^]*/, "").slice(0, LONGEST_LOGGED_PATH);
    this.context.log.warn(
      { path },
      `telemetry was sent to a wrong path and got status 404: the correct path is ${expected}. ` +
        "OTEL_EXPORTER_OTLP_ENDPOINT has no path, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ends in /v1/traces",
    );
  }

  #listen(): void {
    this.incoming.on("data", (chunk: Buffer) => this.#onData(chunk));
    this.incoming.on("end", () => this.#onEnd());
  }

  #onData(chunk: Buffer): void {
    this.#wireBytes += chunk.length;
    if (this.#phase !== "body" || this.#body === undefined) return;
    const trouble = this.#body.append(chunk);
    if (trouble !== null) this.#refuse(trouble === "too_large" ? tooLarge(this.context.maxBody) : trouble);
  }

  #onEnd(): void {
    // A reset stream also emits `end`; its body is incomplete.
    if (this.gone) return;
    if (this.#phase === "discarding" || this.#phase === "lingering") return this.endEarly();
    const signal = signalOf(this.#path);
    if (this.#phase !== "body" || this.#body === undefined || signal === undefined) return;
    this.#enter("handling");
    const wireBytes = this.#wireBytes;
    const request = { signal, encoding: this.#encoding, transport: "http", wireBytes } as const;
    this.#intake.take(this.#body.take(), this.#coding, request);
    this.#body = undefined;
  }

  /** Frees a body that was not accepted, and releases its reservation. */
  #drop(): void {
    this.#body?.drop();
    this.#body = undefined;
    this.#intake.drop();
  }

  /** Sends an error response before the body was read, and drops the body. */
  #refuse(problem: Problem): void {
    const listening = this.#phase === "body";
    const last = LAST_WORDS.has(problem.kind);
    this.#encoding = encodingOf(this.header("content-type")) ?? "json";
    this.#drop();
    this.#count(problem.kind, 0);
    if (this.declaredLength() === 0) {
      this.#enter("answering");
      return this.#sayProblem(problem, this.send.bind(this));
    }
    this.#enter(last ? "lingering" : "discarding");
    this.#sayProblem(problem, (status, headers, payload) => this.sendEarly(status, headers, payload, last));
    if (!listening) this.#listen();
  }

  /** Sends the problem as a `google.rpc.Status`, in the encoding of the request. */
  #sayProblem(problem: Problem, send: Send): void {
    const status = statusOf(problem);
    const payload = this.#encoding === "json" ? statusJson(status) : encodeStatus(status);
    const headers = this.#headersFor(this.#encoding, payload);
    if ("retryAfterS" in problem) headers["retry-after"] = wholeSeconds(problem.retryAfterS);
    if (problem.kind === "unauthenticated") headers["www-authenticate"] = "Bearer, Basic";
    if (problem.kind === "method_not_allowed") headers["allow"] = "POST";
    if (problem.kind === "unsupported_encoding") headers["accept-encoding"] = ACCEPTED_CODINGS;
    send(httpCode(problem), headers, payload);
  }

  #answerPreflight(headers: HttpHeaders): void {
    this.#drop();
    this.#counted = true;
    this.#enter("answering");
    this.send(204, headers, "");
  }

  #headersFor(encoding: Encoding, payload: Payload): HttpHeaders {
    return { ...headersFor(encoding, payload), ...crossOriginHeaders(this.context.crossOrigin, this) };
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#since = performance.now();
  }

  #overdue(nowMs: number): boolean {
    const { timeouts } = this.context;
    switch (this.#phase) {
      case "body":
      case "discarding":
        this.#pace ??= new Pace(this.#since);
        return this.#pace.tooSlow(nowMs, this.#wireBytes, timeouts);
      case "lingering":
      case "cut":
        return nowMs - this.#since > timeouts.lingerMs;
      case "answering":
        return nowMs - this.#since > timeouts.answerMs;
      case "new":
      case "handling":
      case "closed":
        return false;
    }
  }

  #count(outcome: RequestOutcome, bodyBytes: number): void {
    if (this.#counted) return;
    this.#counted = true;
    const signal = signalOf(this.#path) ?? null;
    this.context.events.request("http", signal, outcome, this.#wireBytes, bodyBytes);
  }
}

function headersFor(encoding: Encoding, payload: Payload): HttpHeaders {
  const length = typeof payload === "string" ? Buffer.byteLength(payload) : payload.length;
  return { "content-type": CONTENT_TYPE[encoding], "content-length": length };
}
