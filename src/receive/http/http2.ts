import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Stream,
} from "node:http2";
import type { Socket } from "node:net";
import type { Connection } from "../connection/connection.ts";
import type { ReceiveContext } from "../connection/context.ts";
import { GrpcCall } from "../grpc/grpc-call.ts";
import { joined } from "../body/body-buffer.ts";
import { HttpCall, type Payload } from "./http-call.ts";
import type { HttpHeaders } from "./http-head.ts";

const BURST = 500;

const PER_SECOND = 30;

/**
 * How many streams of one HTTP/2 connection may be given up before their answer. Opening and resetting costs a sender next to
 * nothing (CVE-2023-44487); a sender whose calls time out, a hundred at once, stays within this.
 */
class ResetBudget {
  #left = BURST;
  #at = performance.now();

  /** Takes one; false when none is left. */
  spend(): boolean {
    const now = performance.now();
    this.#left = Math.min(BURST, this.#left + ((now - this.#at) / 1000) * PER_SECOND) - 1;
    this.#at = now;
    return this.#left >= 0;
  }
}

/** Large windows and frames: with the defaults a 1 MB message takes several round trips. */
const SESSION_WINDOW = 64 << 20;
const SETTINGS = {
  initialWindowSize: 8 << 20,
  maxFrameSize: 1 << 20,
  maxConcurrentStreams: 100,
  maxHeaderListSize: 16 << 10,
};
/** MB of bookkeeping a session may hold. */
const SESSION_MEMORY = 64;

/** Serves HTTP/2 on a socket: gRPC calls, and OTLP/HTTP over HTTP/2. */
export function serveHttp2(context: ReceiveContext, connection: Connection, socket: Socket): void {
  // Node ends a half-closed HTTP/2 connection only on a socket that does not allow them.
  socket.allowHalfOpen = false;
  const session = performServerHandshake(socket, { settings: SETTINGS, maxSessionMemory: SESSION_MEMORY });
  session.on("error", () => context.events.connectionCut("protocol"));
  const resets = new ResetBudget();
  session.on("stream", (stream, headers) => {
    const call = serve(context, connection, stream, headers);
    stream.on("close", () => {
      const cancelled = call.closed();
      connection.requestEnded(call);
      if (cancelled && !resets.spend()) connection.cut("protocol");
    });
  });
  connection.becomeHttp2(() => session.close());
  session.setLocalWindowSize(SESSION_WINDOW);
}

function serve(
  context: ReceiveContext,
  connection: Connection,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): GrpcCall | Http2Call {
  stream.on("error", ignore);
  const call = isGrpc(headers)
    ? new GrpcCall(context, connection, stream, headers)
    : new Http2Call(context, connection, stream, headers);
  connection.requestStarted(call);
  call.start();
  return call;
}

function ignore(): void {
  // A stream that fails also closes, and that is where it is counted.
}

function isGrpc(headers: IncomingHttpHeaders): boolean {
  return headers["content-type"]?.startsWith("application/grpc") ?? false;
}

class Http2Call extends HttpCall {
  protected readonly incoming: ServerHttp2Stream;
  readonly #connection: Connection;
  readonly #headers: IncomingHttpHeaders;

  constructor(
    context: ReceiveContext,
    connection: Connection,
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
  ) {
    const admission = connection.admissionFor((name) => joined(headers[name]));
    super(context, admission, headers[":method"] ?? "", headers[":path"] ?? "");
    this.#connection = connection;
    this.incoming = stream;
    this.#headers = headers;
  }

  header(name: string): string | undefined {
    return joined(this.#headers[name]);
  }

  protected declaredLength(): number | undefined {
    if (this.incoming.endAfterHeaders) return 0;
    const length = this.#headers["content-length"];
    return length === undefined ? undefined : Number(length);
  }

  protected proceed(): void {
    if (this.dead()) return;
    if (this.#headers["expect"] === "100-continue") this.incoming.additionalHeaders({ ":status": 100 });
  }

  protected send(status: number, headers: HttpHeaders, payload: Payload): void {
    if (this.dead()) return;
    this.incoming.respond({ ...headers, ":status": status });
    this.incoming.end(payload);
  }

  /** Without resetting the stream: a reset overtakes the answer's body. */
  protected sendEarly(status: number, headers: HttpHeaders, payload: Payload): void {
    this.send(status, headers, payload);
  }

  protected endEarly(): void {
    // The whole response has been sent, and closing the stream told the sender to stop.
  }

  protected dead(): boolean {
    return this.incoming.closed || this.incoming.destroyed;
  }

  protected cut(): void {
    this.incoming.close(this.incoming.headersSent ? constants.NGHTTP2_NO_ERROR : constants.NGHTTP2_CANCEL);
    this.incoming.resume();
  }

  protected abandon(): void {
    this.#connection.cut("protocol");
  }
}
