import { STATUS_CODES, type Server } from "node:http";
import {
  createServer as createHttpsServer,
  Server as HttpsServer,
  type ServerOptions as HttpsOptions,
} from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { type Address, addressError } from "../../../support/security/addresses/address.ts";
import type { TlsMaterial } from "../../../support/security/tls.ts";
import { handshakeProblem, type TlsProblem, unexpectedTls } from "../../../support/security/tls-problems.ts";
import { createRoutes, type RouteOptions } from "../routes.ts";

export interface AdminOptions extends RouteOptions {
  readonly address: Address;
  /** Certificate and key. If present, the admin port accepts only TLS. */
  readonly tls?: TlsMaterial | null;
  readonly timeouts?: AdminTimeouts;
  /** Counts or logs a connection that the server forcibly closed. */
  readonly connectionCut?: (reason: AdminCutReason) => void;
  /** Called for a client whose connection failed because of TLS: for example, it uses TLS and the port does not, or the reverse. */
  readonly onTlsProblem?: (problem: TlsProblem) => void;
}

/** Time limits for a client. All times are in milliseconds. */
export interface AdminTimeouts {
  /** Maximum time for the headers of a request: from the connection, or from the first byte of the request, to the end of the headers. */
  readonly headersMs: number;
  /** Maximum time from the first byte of a request to the end of its body. */
  readonly requestMs: number;
  /** Time without a request after which a connection is closed. */
  readonly idleMs: number;
  /** Interval between checks of the time limits. */
  readonly sweepMs: number;
}

/**
 * Why a connection was forcibly closed.
 * `headers`: the request did not arrive in time.
 * `protocol`: the request is not HTTP.
 * `tls`: the handshake failed or took too long.
 * `connections`: too many connections were open.
 */
export type AdminCutReason = "headers" | "protocol" | "tls" | "connections";

const DEFAULT_TIMEOUTS: AdminTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 65_000,
  sweepMs: 500,
};
/** Error of a request that is not HTTP. */
type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Uint8Array };

/** Maximum number of open connections. A further connection is closed at once. */
const MAX_CONNECTIONS = 1_000;

export interface Admin {
  /** Address on which the server listens, with the actual port. */
  readonly listening: Address;
  /** Uses this certificate for new connections. */
  renewTls(tls: TlsMaterial): void;
  close(): Promise<void>;
}

/**
 * Starts the admin port, which serves the page, metrics, health, status and the API.
 * @throws AddressError, with a message that names the setting `admin`, if the address cannot be used
 */
export async function createAdmin(options: AdminOptions): Promise<Admin> {
  const { address, tls = null, timeouts = DEFAULT_TIMEOUTS } = options;
  const { fetch } = createRoutes(options);
  const serverOptions = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: timeouts.idleMs,
    connectionsCheckingInterval: timeouts.sweepMs,
  };
  const server = createAdaptorServer(
    tls === null ? { fetch, serverOptions } : { fetch, ...https(tls, serverOptions) },
  ) as Server;
  guardConnections(server, options);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(addressError("admin", address, error)));
    server.listen(address.port, address.host, resolve);
  });
  return {
    listening: { host: address.host, port: (server.address() as AddressInfo).port },
    renewTls: ({ context }) => {
      if (server instanceof HttpsServer) server.setSecureContext(context);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function https({ context, asksForCertificate }: TlsMaterial, options: HttpsOptions) {
  const client = { requestCert: asksForCertificate, rejectUnauthorized: asksForCertificate };
  const serverOptions = { ...options, ...context, ...client, handshakeTimeout: options.headersTimeout };
  return { createServer: createHttpsServer, serverOptions };
}

/** Limits the number of connections, and counts forced closes. Clients that have already closed their sending side still get a response. */
function guardConnections(
  server: Server,
  { connectionCut = () => undefined, onTlsProblem = () => undefined }: AdminOptions,
): void {
  const tell = (problem: TlsProblem | null): void => {
    if (problem !== null) onTlsProblem(problem);
  };
  server.maxConnections = MAX_CONNECTIONS;
  // Node's types lack the option `httpAllowHalfOpen`. Without this option, a client that closes its sending side after its request gets no
  // response.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("drop", () => connectionCut("connections"));
  server.on("tlsClientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    connectionCut("tls");
    tell(handshakeProblem(error, socket.remoteAddress));
  });
  server.on("clientError", (error: ClientError, socket: Socket) => {
    tell(unexpectedTls(error.rawPacket, socket.remoteAddress));
    const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
    if (error.code !== "ECONNRESET") connectionCut(isLate ? "headers" : "protocol");
    if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
    const status = isLate ? 408 : error.code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
    // The connection is destroyed as soon as the operating system has the response, because a client may never read the response.
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    );
    socket.destroySoon();
  });
}
