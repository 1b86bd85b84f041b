import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Attack, type Attacked, repeated, type Target } from "./attack.ts";

/** Opens a connection that closes after an error. */
function open(address: string): Socket {
  const { hostname, port } = new URL(`http://${address}`);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => socket.destroy());
  return socket;
}

/** Keeps many connections open until the end; `begin` sets their state. Lost connections are opened again. */
async function holding(
  { seconds }: Target,
  address: string,
  count: number,
  begin: (socket: Socket) => void,
  more?: (socket: Socket) => void,
): Promise<Attacked> {
  const until = performance.now() + seconds * 1000;
  const sockets = new Set<Socket>();
  let requests = 0;
  while (performance.now() < until) {
    for (let opened = 0; sockets.size < count && opened < 250; opened++) {
      const socket = open(address);
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
      begin(socket);
      requests++;
    }
    if (more !== undefined) for (const socket of sockets) more(socket);
    await sleep(50);
  }
  for (const socket of sockets) socket.destroy();
  return { requests, wrong: [] };
}

const head = (path: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-protobuf\r\ncontent-length: ${length}\r\n\r\n`;

/** Attacks with the use of connections. */
export const connectionAttacks: readonly Attack[] = [
  {
    name: "2,500 incomplete request heads on the OTLP port",
    run: (target) =>
      holding(target, target.http, 2_500, (socket) => void socket.write("POST /v1/traces HTTP/1.1\r\nho")),
  },
  {
    name: "2,500 incomplete request heads on the admin port",
    run: (target) =>
      holding(target, target.admin, 2_500, (socket) => void socket.write("GET /api/status HTTP/1.1\r\nho")),
  },
  {
    name: "bodies byte by byte, 500 at a time",
    run: (target) =>
      holding(
        target,
        target.http,
        500,
        (socket) => void socket.write(head("/v1/traces", 1 << 20)),
        (socket) => void socket.write("x"),
      ),
  },
  {
    name: "requests whose answers are never read, 200 connections",
    run: (target) =>
      holding(target, target.admin, 200, (socket) => {
        socket.pause();
        socket.write(
          `GET /metrics HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${process.env["ATTACK_READ_TOKEN"]}\r\n\r\n`.repeat(
            20,
          ),
        );
      }),
  },
  {
    name: "rubbish instead of HTTP, connections that close at once",
    run: (target) =>
      repeated(target, 20, async (round) => {
        const socket = open(round % 2 === 0 ? target.http : target.admin);
        const first = ["\u0016\u0003\u0001\u0002", "GET\r\n\r\n", "", "\0".repeat(10_000)][round % 4] ?? "";
        socket.end(first);
        await new Promise<void>((resolve) => {
          socket.on("close", () => resolve());
          socket.setTimeout(2_000, () => socket.destroy());
          socket.resume();
        });
      }),
  },
];
