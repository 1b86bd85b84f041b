import type { Server as HttpServer } from "node:http";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { addressError, type Address, type AddressSetting } from "./address.ts";
import { Connection } from "./connection.ts";
import type { ReceiveContext } from "./context.ts";
import type { Connections } from "./http1.ts";
import { serveHttp2 } from "./http2.ts";
import { sniff } from "./sniff.ts";

const MAX_CONNECTIONS = 10_000;
const TCP_KEEP_ALIVE_MS = 60_000;

/** One listening address that serves HTTP/1 and HTTP/2 alike. */
export class Port {
  readonly #context: ReceiveContext;
  readonly #http1: HttpServer;
  readonly #connections: Connections;
  readonly #server: Server;

  constructor(context: ReceiveContext, http1: HttpServer, connections: Connections) {
    this.#context = context;
    this.#http1 = http1;
    this.#connections = connections;
    this.#server = createServer({
      allowHalfOpen: true,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
    });
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on("connection", (socket) => this.#connected(socket));
  }

  /** Resolves to the address with its real port. Rejects with `AddressError`. */
  listen(address: Address, setting: AddressSetting): Promise<Address> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", (error) => reject(addressError(setting, address, error)));
      this.#server.listen(address.port, address.host, () => {
        resolve({ host: address.host, port: (this.#server.address() as AddressInfo).port });
      });
    });
  }

  /** Accepts nothing more; resolves when the last connection has ended. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
    });
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
    sniff(socket, (protocol) => {
      if (protocol === "http2") serveHttp2(this.#context, connection, socket);
      else this.#http1.emit("connection", socket);
    });
  }
}

function ignore(): void {
  // A socket that fails also closes, and that is where it is dealt with.
}
