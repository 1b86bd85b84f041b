import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that reads and discards all bodies. Prints its port. */
const server = createServer((request, response) => void request.resume().on("end", () => response.end()));
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
