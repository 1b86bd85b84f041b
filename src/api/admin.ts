import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { type Address, addressError } from "../receive/address.ts";
import type { TlsMaterial } from "../security/tls.ts";
import { createRoutes, type RouteOptions } from "./routes.ts";

export interface AdminOptions extends RouteOptions {
  readonly address: Address;
  /** The port speaks TLS when given. */
  readonly tls?: TlsMaterial | null;
}

export interface Admin {
  /** Where it listens, with the real port. */
  readonly listening: Address;
  /** Connections from now on get this certificate. */
  renewTls(tls: TlsMaterial): void;
  /** Stops listening and ends open connections. */
  close(): Promise<void>;
}

/**
 * Starts the admin port: metrics, health, status and the API.
 * @throws AddressError when the address cannot be listened on; the message names the setting `admin`
 */
export async function createAdmin(options: AdminOptions): Promise<Admin> {
  const { address, tls = null } = options;
  const { fetch } = createRoutes(options);
  const server =
    tls === null ? createAdaptorServer({ fetch }) : createAdaptorServer({ fetch, ...https(tls) });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(addressError("admin", address, error)));
    server.listen(address.port, address.host, resolve);
  });
  return {
    listening: { host: address.host, port: (server.address() as AddressInfo).port },
    renewTls: ({ context }) => {
      if ("setSecureContext" in server) server.setSecureContext(context);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  };
}

function https({ context, asksForCertificate }: TlsMaterial) {
  const client = { requestCert: asksForCertificate, rejectUnauthorized: asksForCertificate };
  return { createServer: createHttpsServer, serverOptions: { ...context, ...client } };
}
