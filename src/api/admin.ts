import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { type Address, addressError } from "../receive/address.ts";
import { createRoutes, type RouteOptions } from "./routes.ts";

export interface AdminOptions extends RouteOptions {
  readonly address: Address;
}

export interface Admin {
  /** Where it listens, with the real port. */
  readonly listening: Address;
  /** Stops listening and ends open connections. */
  close(): Promise<void>;
}

/**
 * Starts the admin port: metrics, health, status and the API.
 * @throws AddressError when the address cannot be listened on; the message names the setting `admin`
 */
export async function createAdmin(options: AdminOptions): Promise<Admin> {
  const { address } = options;
  const server = createAdaptorServer({ fetch: createRoutes(options).fetch });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(addressError("admin", address, error)));
    server.listen(address.port, address.host, resolve);
  });
  return {
    listening: { host: address.host, port: (server.address() as AddressInfo).port },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      }),
  };
}
