import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { Socket } from "node:net";
import type { Connection } from "../connection/connection.ts";
import type { ReceiveContext } from "../connection/context.ts";
import { joined } from "../body/body-buffer.ts";
import { HttpCall, type Payload } from "./http-call.ts";
import type { HttpHeaders } from "./http-head.ts";
import { RpcCode, statusJson } from "../grpc/rpc-status.ts";

/** The receiver's connections by their socket. */
export type Connections = Map<Socket, Connection>;

/**
 * Creates an HTTP/1 server that never listens: it gets its sockets by `emit("connection", socket)`. In such a server, Node's time-outs for
 * headers and requests do not run, so `Connection` and `HttpCall` check the time limits.
 */
export function createHttp1(context: ReceiveContext, connections: Connections): Server {
  const server = createServer({ keepAliveTimeout: context.timeouts.idleMs, requireHostHeader: false });
  // With this option, a sender that half-closes its socket still gets its response. Node's types lack the option.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("request", (req, res) => serve(context, connections, req, res, false));
  server.on("checkContinue", (req, res) => serve(context, connections, req, res, true));
  server.on("checkExpectation", (req, res) => serve(context, connections, req, res, false));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    refuseGarbage(context, connections, error, socket as Socket);
  });
  return server;
}

function serve(
  context: ReceiveContext,
  connections: Connections,
  req: IncomingMessage,
  res: ServerResponse,
  awaitsContinue: boolean,
): void {
  const connection = connections.get(req.socket);
  if (connection === undefined) return void req.socket.destroy();
  new Http1Call(context, connection, req, res, awaitsContinue).start();
}

class Http1Call extends HttpCall {
  protected readonly incoming: IncomingMessage;
  readonly #response: ServerResponse;
  #awaitsContinue: boolean;

  constructor(
    context: ReceiveContext,
    connection: Connection,
    incoming: IncomingMessage,
    response: ServerResponse,
    awaitsContinue: boolean,
  ) {
    const admission = connection.admissionFor((name) => joined(incoming.headers[name]));
    super(context, admission, incoming.method ?? "", incoming.url ?? "");
    this.incoming = incoming;
    this.#response = response;
    this.#awaitsContinue = awaitsContinue;
    connection.requestStarted(this);
    response.on("close", () => {
      this.closed();
      connection.requestEnded(this);
    });
  }

  header(name: string): string | undefined {
    return joined(this.incoming.headers[name]);
  }

  protected declaredLength(): number | undefined {
    const length = this.incoming.headers["content-length"];
    if (length !== undefined) return Number(length);
    return this.incoming.headers["transfer-encoding"] === undefined ? 0 : undefined;
  }

  protected proceed(): void {
    if (!this.#awaitsContinue) return;
    this.#awaitsContinue = false;
    this.#response.writeContinue();
  }

  protected send(status: number, headers: HttpHeaders, payload: Payload): void {
    if (this.context.draining) headers["connection"] = "close";
    this.#response.writeHead(status, headers);
    this.#response.end(payload);
  }

  protected sendEarly(status: number, headers: HttpHeaders, payload: Payload, last: boolean): void {
    const ends = last || this.#awaitsContinue || this.context.draining;
    if (ends) headers["connection"] = "close";
    this.#response.writeHead(status, headers);
    if (this.#awaitsContinue) this.#response.end(payload);
    else this.#response.write(payload);
  }

  protected endEarly(): void {
    this.#response.end();
  }

  protected dead(): boolean {
    return this.#response.destroyed;
  }

  protected cut(): void {
    this.incoming.socket.destroy();
  }

  protected abandon(): void {
    this.incoming.socket.destroy();
  }
}

/** Sends an error response to a request that is not valid HTTP. If another response is already in progress, destroys the socket instead. */
function refuseGarbage(
  context: ReceiveContext,
  connections: Connections,
  error: NodeJS.ErrnoException,
  socket: Socket,
): void {
  const idle = connections.get(socket)?.idle ?? false;
  if (!idle || !socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  context.events.connectionCut("protocol");
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
  const problem =
    status === 431 ? "the headers of the request are too large" : "the request is not valid HTTP/1.1";
  const message = `${problem}: ${error.message}`;
  const body = statusJson({ code: RpcCode.invalidArgument, message, retryAfterS: null });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "connection: close",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
}
