import type { Server as HttpServer } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type Server as TlsServer } from "node:tls";
import { type Address, addressError, type AddressSetting } from "../../support/security/addresses/address.ts";
import { Connection } from "../connection/connection.ts";
import type { ReceiveContext } from "../connection/context.ts";
import type { Connections } from "./http1.ts";
import { serveHttp2 } from "./http2.ts";
import type { ReceiverTls } from "../ports.ts";
import { handshakeProblem, type TlsProblem, unexpectedTls } from "../../support/security/tls-problems.ts";

/** First bytes of every HTTP/2 connection (with TLS, after decryption). No HTTP/1 request begins with these bytes. */
const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n");

type Protocol = "http1" | "http2";

const MAX_CONNECTIONS = 10_000;
const SOCKET_OPTIONS = {
  allowHalfOpen: true,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
} as const;

/** One listening address that serves HTTP/1 and HTTP/2. */
export class Port {
  readonly #context: ReceiveContext;
  readonly #http1: HttpServer;
  readonly #connections: Connections;
  readonly #server: Server;
  readonly #tlsServer: TlsServer | null;
  /** Connections whose TLS handshake is in progress. */
  readonly #shaking = new Map<string, Socket>();

  constructor(context: ReceiveContext, http1: HttpServer, connections: Connections, tls: ReceiverTls | null) {
    this.#context = context;
    this.#http1 = http1;
    this.#connections = connections;
    this.#tlsServer = tls === null ? null : this.#createTls(tls);
    this.#server = this.#tlsServer ?? createServer(SOCKET_OPTIONS, (socket) => this.#connected(socket));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** Sets the certificate for new connections. */
  renewTls(tls: ReceiverTls): void {
    this.#tlsServer?.setSecureContext(tls.context);
  }

  /** Begins to listen. Resolves to the address, with the actual port; rejects with `AddressError`. */
  listen(address: Address, setting: AddressSetting): Promise<Address> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", (error) => reject(addressError(setting, address, error)));
      this.#server.listen(address.port, address.host, () => {
        resolve({ host: address.host, port: (this.#server.address() as AddressInfo).port });
      });
    });
  }

  /** Stops accepting connections. Resolves when the last connection has ended. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      for (const socket of this.#shaking.values()) socket.destroy();
    });
  }

  #createTls(tls: ReceiverTls): TlsServer {
    const server = createTlsServer({
      ...SOCKET_OPTIONS,
      ...tls.context,
      ALPNProtocols: ["h2", "http/1.1"],
      handshakeTimeout: this.#context.timeouts.headersMs,
      requestCert: tls.asksForCertificate,
      rejectUnauthorized: tls.asksForCertificate,
    });
    server.on("connection", (socket: Socket) => {
      const peer = peerOf(socket);
      this.#shaking.set(peer, socket);
      socket.on("close", () => this.#shaking.delete(peer));
    });
    server.on("secureConnection", (socket) => {
      this.#shaking.delete(peerOf(socket));
      this.#connected(socket);
    });
    server.on("tlsClientError", (error: NodeJS.ErrnoException, socket) => {
      this.#context.events.connectionCut("tls");
      this.#warn(handshakeProblem(error, socket.remoteAddress));
      socket.destroy();
    });
    return server;
  }

  #warn(problem: TlsProblem | null): void {
    if (problem !== null) this.#context.log.warn(problem.details, problem.message);
  }

  #connected(socket: Socket): void {
    const connection = new Connection(this.#context, socket);
    this.#connections.set(socket, connection);
    this.#context.watch.add(connection);
    socket.on("error", ignore);
    socket.on("close", () => {
      this.#connections.delete(socket);
      this.#context.watch.delete(connection);
      connection.closed();
    });
    sniff(socket, (protocol, start) => {
      this.#warn(unexpectedTls(start, socket.remoteAddress));
      if (protocol === "http2") serveHttp2(this.#context, connection, socket);
      else this.#http1.emit("connection", socket);
    });
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

function ignore(): void {
  // After an error, the socket also emits `close`, which is handled.
}

/**
 * Detects the protocol of a new connection from its first bytes. The bytes stay unread in the socket. If the connection closes before,
 * `done` is not called.
 */
function sniff(socket: Socket, done: (protocol: Protocol, start: Uint8Array) => void): void {
  let seen: Buffer = Buffer.alloc(0);
  const onReadable = () => {
    const chunk = socket.read() as Buffer | null;
    if (chunk === null) return;
    seen = seen.length === 0 ? chunk : Buffer.concat([seen, chunk]);
    const protocol = protocolOf(seen);
    if (protocol === undefined) return;
    socket.off("readable", onReadable);
    socket.unshift(seen);
    done(protocol, seen);
  };
  socket.on("readable", onReadable);
}

/** Returns the protocol; undefined if more bytes are needed, because the bytes so far may be the beginning of either protocol. */
function protocolOf(start: Uint8Array): Protocol | undefined {
  const length = Math.min(start.length, PREFACE.length);
  for (let i = 0; i < length; i++) if (start[i] !== PREFACE[i]) return "http1";
  return length === PREFACE.length ? "http2" : undefined;
}
