import { createServer, type Server } from "node:net";

/**
 * Opens on ::1 the port of a server that listens on 127.0.0.1, because `localhost` can mean both addresses. Returns null if the machine has
 * no IPv6, or another program has the port.
 */
export async function openSecondLoopback(server: Server, port: number): Promise<Server | null> {
  // The same options as `node:http` sets for its own sockets.
  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    server.emit("connection", socket);
  });
  return new Promise((resolve) => {
    second.once("error", () => resolve(null));
    second.listen(port, "::1", () => resolve(second));
  });
}
