import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that reads bodies and drops them, in a process of its own. Prints its port. */
const server = createServer((request, response) => void request.resume().on("end", () => response.end()));
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
