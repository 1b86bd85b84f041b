import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { type Answer, denial, DRAINING, type Problem, statusOf, tooLarge } from "../http/answer.ts";
import type { Coding } from "../body/content-coding.ts";
import type { Connection, OpenRequest } from "../connection/connection.ts";
import type { ReceiveContext } from "../connection/context.ts";
import { pageRefusal } from "../http/cross-origin.ts";
import { isOpen, sendMessage, sendStatus } from "./grpc-answer.ts";
import { ACCEPTED_GRPC_CODINGS, isGrpcProto, isKnownService, methodOf, readGrpcCoding } from "./grpc-head.ts";
import { GrpcMessage, type MessageTrouble } from "./grpc-message.ts";
import { parseGrpcTimeout } from "./grpc-timeout.ts";
import { joined } from "../body/body-buffer.ts";
import { type Caller, Intake } from "../intake/intake.ts";
import { Pace } from "../connection/pace.ts";
import type { Signal } from "../../otlp/signal.ts";
import type { ReceivedRequest, RequestOutcome } from "../ports.ts";
import { encodeResponse, RpcCode } from "./rpc-status.ts";
import type { Watched } from "../connection/watch.ts";

const SERVING = Uint8Array.of(0x08, 1);
const NOT_SERVING = Uint8Array.of(0x08, 2);

type Phase = "body" | "handling" | "answered" | "cut" | "closed";

/** One unary gRPC call: an OTLP Export call or a health check. */
export class GrpcCall implements Caller, OpenRequest, Watched {
  readonly #context: ReceiveContext;
  readonly #connection: Connection;
  readonly #stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  readonly #intake: Intake;
  readonly #message: GrpcMessage;
  #signal: Signal | null = null;
  #coding: Coding | null = null;
  #phase: Phase = "body";
  #since = performance.now();
  #deadline: number;
  #pace: Pace | undefined;
  #wireBytes = 0;
  #counted = false;

  constructor(
    context: ReceiveContext,
    connection: Connection,
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
  ) {
    this.#context = context;
    this.#connection = connection;
    this.#stream = stream;
    this.#headers = headers;
    const admission = connection.admissionFor((name) => joined(headers[name]));
    this.#intake = new Intake(context, admission, this);
    this.#message = new GrpcMessage(context.maxBody, this.#intake.reservation);
    this.#deadline = this.#since + (parseGrpcTimeout(headers["grpc-timeout"]) ?? Infinity);
  }

  start(): void {
    this.#context.watch.add(this);
    const misuse = this.#misuse();
    if (misuse !== null) return this.#refuseHttp(misuse);
    const problem = this.#begin();
    if (problem !== null) return this.#refuse(problem);
    this.#stream.on("data", (chunk: Buffer) => this.#onData(chunk));
    this.#stream.on("end", () => this.#onEnd());
  }

  get gone(): boolean {
    return !(this.#phase === "body" || this.#phase === "handling") || !isOpen(this.#stream);
  }

  /**
   * Returns the refusal of a call whose deadline has passed; null for other calls. After the deadline, the sender repeats the call; if both
   * were accepted, the telemetry would be duplicated.
   */
  objection(): Answer | null {
    return performance.now() > this.#deadline ? DEADLINE_EXCEEDED : null;
  }

  header(name: string): string | undefined {
    return joined(this.#headers[name]);
  }

  answer(answer: Answer, _request: ReceivedRequest, bodyBytes: number): void {
    if (answer.kind !== "accepted") return this.#refuse(answer);
    this.#count("accepted", bodyBytes);
    this.#enter("answered");
    sendMessage(this.#stream, encodeResponse(answer.rejected, answer.message));
  }

  check(nowMs: number): void {
    const { timeouts } = this.#context;
    const waited = nowMs - this.#since;
    if (this.#phase === "answered") {
      if (waited > timeouts.answerMs) this.#cut("response");
    } else if (this.#phase === "cut") {
      if (waited > timeouts.lingerMs) this.#connection.cut("protocol");
    } else if (nowMs > this.#deadline) {
      this.#refuse(DEADLINE_EXCEEDED);
    } else if (this.#phase === "body") {
      this.#pace ??= new Pace(this.#since);
      if (this.#pace.tooSlow(nowMs, this.#wireBytes, timeouts)) this.#cut("body");
    }
  }

  /** Ends a call whose stream has closed. Returns true if the sender closed the stream before it got the response. */
  closed(): boolean {
    if (this.#phase === "closed") return false;
    const cancelled = !this.#counted;
    this.#drop();
    this.#phase = "closed";
    this.#context.watch.delete(this);
    this.#count("cancelled", 0);
    return cancelled;
  }

  /** Returns the HTTP status for a request that is not gRPC; null for a valid request. */
  #misuse(): number | null {
    if (this.#headers[":method"] !== "POST") return 405;
    return isGrpcProto(this.#headers["content-type"] ?? "") ? null : 415;
  }

  #begin(): Problem | null {
    const foreign = pageRefusal(this.#context, this);
    if (foreign !== null) return foreign;
    const method = methodOf(this.#headers[":path"] ?? "");
    if (method === undefined) return UNKNOWN_METHOD;
    if (method.kind === "health") return null;
    this.#signal = method.signal;
    const denied = denial(this.#context.authorize(this.#headers.authorization));
    if (denied !== null) return denied;
    if (this.#context.draining) return DRAINING;
    const encoding = this.#headers["grpc-encoding"];
    const coding = readGrpcCoding(Array.isArray(encoding) ? encoding.join() : encoding);
    if (coding === undefined) return UNSUPPORTED_ENCODING;
    this.#coding = coding;
    return null;
  }

  #onData(chunk: Buffer): void {
    this.#wireBytes += chunk.length;
    if (this.#phase !== "body") return;
    const trouble = this.#message.append(chunk);
    if (trouble !== null) this.#refuse(this.#problemOf(trouble));
  }

  #onEnd(): void {
    // A reset stream also emits `end`; its message is incomplete.
    if (this.#phase !== "body" || !isOpen(this.#stream)) return;
    const body = this.#message.take();
    if (body === null) return this.#refuse(TRUNCATED);
    if (this.#message.compressed && this.#coding === null) return this.#refuse(NO_CODING);
    this.#enter("handling");
    if (this.#signal === null) return this.#answerHealth(body);
    const coding = this.#message.compressed ? this.#coding : null;
    const wireBytes = body.length;
    this.#intake.take(body, coding, {
      signal: this.#signal,
      encoding: "protobuf",
      transport: "grpc",
      wireBytes,
    });
  }

  #answerHealth(request: Uint8Array): void {
    const response = checkHealth(request, this.#context.draining);
    this.#drop();
    this.#counted = true;
    this.#enter("answered");
    if (response !== null) sendMessage(this.#stream, response);
    else sendStatus(this.#stream, { code: RpcCode.notFound, message: "unknown service", retryAfterS: null });
  }

  /** Frees a message that was not accepted, and releases its reservation. */
  #drop(): void {
    this.#message.drop();
    this.#intake.drop();
  }

  #refuse(problem: Problem | Exclude<Answer, { kind: "accepted" }>): void {
    const reading = this.#phase === "body";
    this.#drop();
    this.#count(problem.kind, 0);
    this.#enter("answered");
    sendStatus(this.#stream, statusOf(problem));
    if (reading) this.#hangUpAfterAnswer();
  }

  #refuseHttp(status: number): void {
    this.#count(status === 405 ? "method_not_allowed" : "unsupported_type", 0);
    this.#enter("answered");
    if (!isOpen(this.#stream)) return;
    this.#stream.respond(
      { ":status": status, ...(status === 405 && { allow: "POST" }) },
      { endStream: true },
    );
    this.#hangUpAfterAnswer();
  }

  #cut(reason: "body" | "response"): void {
    this.#count("slow", 0);
    this.#context.events.connectionCut(reason);
    this.#drop();
    this.#enter("cut");
    this.#hangUp(constants.NGHTTP2_CANCEL);
  }

  /**
   * Resets the stream in the next turn of the event loop. In Node 22.23 and 26, a reset in the same turn would be sent before the
   * response's headers.
   */
  #hangUpAfterAnswer(): void {
    this.#stream.resume();
    setImmediate(() => this.#hangUp(constants.NGHTTP2_NO_ERROR));
  }

  /** Resets the stream. Without a reset, a stream with unread data would stay open. */
  #hangUp(code: number): void {
    this.#stream.close(code);
    this.#stream.resume();
  }

  #problemOf(trouble: MessageTrouble): Problem {
    if (trouble === "too_large") return tooLarge(this.#context.maxBody);
    if (trouble === "bad_flag") return BAD_FLAG;
    return trouble === "surplus" ? SURPLUS : trouble;
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.#since = performance.now();
  }

  #count(outcome: RequestOutcome, bodyBytes: number): void {
    if (this.#counted) return;
    this.#counted = true;
    this.#context.events.request("grpc", this.#signal, outcome, this.#wireBytes, bodyBytes);
  }
}

const UNKNOWN_METHOD: Problem = {
  kind: "not_found",
  message:
    "unknown method: this port accepts only Export of the OTLP trace, logs and metrics services, and health checks",
};
const UNSUPPORTED_ENCODING: Problem = {
  kind: "unsupported_encoding",
  message: `unsupported grpc-encoding: send one of ${ACCEPTED_GRPC_CODINGS}`,
};
const DEADLINE_EXCEEDED: Problem = {
  kind: "deadline_exceeded",
  message:
    "the call's deadline (grpc-timeout) passed before the call was complete: raise the exporter's time-out",
};
const TRUNCATED: Problem = {
  kind: "malformed",
  message: "the gRPC call ended before its message was complete",
};
const SURPLUS: Problem = { kind: "malformed", message: "a unary call contains more bytes than one message" };
const BAD_FLAG: Problem = {
  kind: "failed",
  message: "the first byte of the gRPC message (the compressed flag) is neither 0 nor 1",
};
const NO_CODING: Problem = {
  kind: "failed",
  message: "the message is flagged as compressed, but grpc-encoding names no coding",
};

/** Answers `grpc.health.v1.Health/Check`. Returns null for an unknown service. */
function checkHealth(request: Uint8Array, draining: boolean): Uint8Array | null {
  if (!isKnownService(serviceName(request))) return null;
  return draining ? NOT_SERVING : SERVING;
}

/** Reads field 1 of `HealthCheckRequest`, its only field. */
function serviceName(request: Uint8Array): string {
  const [tag, length = 0] = request;
  return tag === 0x0a ? new TextDecoder().decode(request.subarray(2, 2 + length)) : "";
}
