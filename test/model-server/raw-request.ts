import { connect, type Socket } from "node:net";

/** Sends the head of a request over a connection of its own, to an address whose path stays as it is written. */
export function rawRequest(
  baseUrl: string,
  method: string,
  path: string,
  headers: readonly string[],
): Socket {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write([`${method} ${path} HTTP/1.1`, `host: ${hostname}`, ...headers, "", ""].join("\r\n"));
  return socket;
}
