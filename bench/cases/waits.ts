import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { agentSpans, requestOf } from "../data/agent-spans.ts";
import { hostileBody, type HostileShape, hostileShapes } from "../data/hostile.ts";
import { encode } from "../data/protobuf.ts";
import type { Case, Settings } from "../harness/case.ts";
import { Child } from "../harness/child.ts";
import { conclude, type Result } from "../harness/result.ts";

/** Longest wait, in milliseconds, of a client that sends a small request each 50 ms while a request with very many attributes is processed. */
export const waits: Case = {
  name: "waits",
  figures: (Object.keys(hostileShapes) as HostileShape[]).map((shape) => ({
    names: [`waits.${shape}`],
    rows: ["R5"],
    measure: (settings) => measured(shape, settings),
  })),
};

const EVERY_MS = 50;
/** A request is worked on when its trace is over; the server's rule for that is half a second. */
const AFTER_MS = 3_000;

async function measured(shape: HostileShape, { rounds }: Settings): Promise<Result[]> {
  const longest: number[] = [];
  const child = await Child.start({ kind: "live", idleMs: 500, agent: "*" });
  try {
    for (let round = 0; round < rounds; round++) longest.push(await longestWait(child, shape, round + 1));
  } finally {
    child.stop();
  }
  const { spans, keys } = hostileShapes[shape];
  const what = `longest answer to others while ${spans} ${spans === 1 ? "span" : "spans"} of ${keys} attributes are read`;
  return [
    conclude({ name: `waits.${shape}`, row: "R5", what, unit: "ms", goal: { atMost: 1_000 } }, longest),
  ];
}

async function longestWait({ ports }: Child, shape: HostileShape, round: number): Promise<number> {
  const hostile = hostileBody(shape, round);
  const waited: number[] = [];
  const over = new AbortController();
  let sent = 0;
  const honest = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const begun = performance.now();
      await post(ports.http, encode(requestOf(agentSpans(round * 100_000 + ++sent, 4))), {});
      waited.push(performance.now() - begun);
      await sleep(EVERY_MS);
    }
  };
  const sending = honest();
  await sleep(10 * EVERY_MS);
  waited.length = 0;
  await post(ports.http, hostile, { "content-encoding": "gzip" });
  await sleep(AFTER_MS);
  over.abort();
  await sending;
  return Math.max(...waited);
}

function post(port: number, body: Uint8Array, more: Readonly<Record<string, string>>): Promise<void> {
  const headers = { "content-type": "application/x-protobuf", "content-length": body.length, ...more };
  return new Promise((resolve, reject) => {
    const sending = request(
      { host: "127.0.0.1", port, path: "/v1/traces", method: "POST", headers },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`the server answered ${response.statusCode}`));
        response.on("end", resolve).resume();
      },
    );
    sending.on("error", reject).end(body);
  });
}
