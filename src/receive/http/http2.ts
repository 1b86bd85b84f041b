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
 * Limits how many streams of one HTTP/2 connection a sender may reset before it gets their responses. Without a limit, resets are an attack
 * that costs the sender almost nothing (CVE-2023-44487). The limit allows a burst of a hundred calls that time out together.
 */
class ResetBudget {
  #left = BURST;
  #at = performance.now();

  /** Counts one reset. Returns false when the limit is reached. */
  spend(): boolean {
    const now = performance.now();
    this.#left = Math.min(BURST, this.#left + ((now - this.#at) / 1000) * PER_SECOND) - 1;
    this.#at = now;
    return this.#left >= 0;
  }
}

/** Window and frame sizes in bytes. With Node's defaults, a message of 1 MB takes several round trips. */
const SESSION_WINDOW = 64 << 20;
const SETTINGS = {
  initialWindowSize: 8 << 20,
  maxFrameSize: 1 << 20,
  maxConcurrentStreams: 100,
  maxHeaderListSize: 16 << 10,
};
/** Memory limit of one HTTP/2 session, in MB. */
const SESSION_MEMORY = 64;

/** Serves HTTP/2 on a socket: gRPC calls, and OTLP/HTTP over HTTP/2. */
export function serveHttp2(context: ReceiveContext, connection: Connection, socket: Socket): void {
  // If the socket allowed half-open connections, Node would not close a half-closed HTTP/2 connection.
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
  // After an error, the stream also emits `close`. The stream is counted there.
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

  /** Sends the response without resetting the stream: a reset would be sent before the response's body. */
  protected sendEarly(status: number, headers: HttpHeaders, payload: Payload): void {
    this.send(status, headers, payload);
  }

  protected endEarly(): void {
    // The complete response was already sent. Closing the stream makes the sender stop.
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
