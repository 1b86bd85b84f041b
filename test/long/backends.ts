import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { agentTrace } from "../chaos/agent-trace.ts";
import { httpSender } from "../chaos/senders.ts";
import { freePort } from "../chaos/serve-process.ts";
import { decodeSpans } from "../support/otlp-sink.ts";
import { freePorts, Tracejury, within } from "./peers.ts";

/*
 * npm run backends [-- SECONDS [TROUBLE…]]: sends telemetry on to a backend that is in trouble for a while (down: a minute, the others SECONDS), then
 * well again. All that was accepted has to arrive but for what the backend refused for good, the counters have to balance, and those who send must
 * not notice.
 */

const seconds = Number(process.argv[2] ?? 15);
const wanted = process.argv.slice(3);
const GIB = 2 ** 30;

/** Answers, and says whether it has taken the request. */
type Trouble = (response: ServerResponse) => Promise<boolean>;

const status = (code: number, headers: Record<string, string> = {}): Trouble => {
  return (response) => {
    response.writeHead(code, headers).end("not now");
    return Promise.resolve(false);
  };
};

const troubles: Readonly<Record<string, Trouble | "down">> = {
  down: "down",
  slow: async (response) => {
    await sleep(5_000);
    response.writeHead(200).end();
    return true;
  },
  "never answers": () => Promise.resolve(false),
  400: status(400),
  "429 with Retry-After": status(429, { "retry-after": "2" }),
  503: status(503),
  garbage: (response) => {
    response.socket?.end("\u0000\u0001garbage\r\n\r\n");
    return Promise.resolve(false);
  },
  "garbage in a 200": (response) => {
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end(Buffer.alloc(5_000, 0xff));
    return Promise.resolve(true);
  },
  "an answer of 1 GiB": (response) => {
    response.writeHead(200, { "content-type": "application/x-protobuf", "content-length": String(GIB) });
    const piece = Buffer.alloc(1 << 20);
    let left = GIB;
    const more = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= piece.length;
        if (!response.write(piece)) return void response.once("drain", more);
      }
      response.end();
    };
    more();
    return Promise.resolve(true);
  },
};

/** A backend that can be put into trouble. */
class Backend {
  readonly spans = new Set<string>();
  trouble: Trouble | "down" | null = null;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => {
      this.#answer(request, response).catch(ignore);
    });
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket)).on("error", ignore);
    });
    await new Promise<void>((resolve) => void server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await buffer(request);
    const { trouble } = this;
    const isTaken = typeof trouble === "function" ? await trouble(response) : true;
    if (typeof trouble !== "function") response.writeHead(200).end();
    if (isTaken) this.#take(request.headers["content-type"], request.headers["content-encoding"], sent);
  }

  #take(type: string | undefined, coding: string | undefined, sent: Buffer): void {
    const body = coding === "gzip" ? gunzipSync(sent) : sent;
    if (type?.includes("json") !== true) {
      for (const { traceId, spanId } of decodeSpans(body)) this.spans.add(traceId + spanId);
      return;
    }
    for (const [, traceId, spanId] of body.toString().matchAll(/"traceId":"(\w+)","spanId":"(\w+)"/g))
      this.spans.add(`${traceId}${spanId}`);
  }
}

function ignore(): void {
  // a connection that was cut is part of the trouble
}

interface Sent {
  readonly spans: Set<string>;
  readonly latenciesMs: number[];
  refused: number;
}

async function sendFor(ms: number, port: number, series: number): Promise<Sent> {
  const sent: Sent = { spans: new Set(), latenciesMs: [], refused: 0 };
  const sender = httpSender(port);
  const until = performance.now() + ms;
  for (let n = 0; performance.now() < until; n++) {
    const { root, tools } = agentTrace(series, n, 4, 500);
    const began = performance.now();
    if (await sender.send([...tools, root])) {
      sent.latenciesMs.push(performance.now() - began);
      for (const { traceId, spanId } of [...tools, root]) sent.spans.add(traceId + spanId);
    } else sent.refused++;
    await sleep(20);
  }
  sender.close();
  return sent;
}

function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN) * 10) / 10;
}

function peakMiB(pid: number): number {
  const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(found) / 1024);
}

async function run(name: string, trouble: Trouble | "down"): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-backends-"));
  const backend = new Backend();
  await backend.listen();
  const [ports, admin] = [await freePorts(), await freePort()];
  const forward = [{ endpoint: backend.endpoint, timeout: "2s" }];
  const tracejury = new Tracejury(folder, ports, admin, { forward });
  await tracejury.start();
  try {
    const before = await sendFor(5_000, ports.http, 1);
    if (trouble === "down") await backend.stop();
    backend.trouble = trouble;
    const during = await sendFor(trouble === "down" ? 60_000 : seconds * 1000, ports.http, 2);
    backend.trouble = null;
    if (trouble === "down") await backend.listen();
    const healed = performance.now();
    const after = await sendFor(2_000, ports.http, 3);
    const all = [before, during, after].flatMap(({ spans }) => [...spans]);
    const missing = (): number => all.filter((id) => !backend.spans.has(id)).length;
    const count = (metric: string): Promise<number> => tracejury.counter(`tracejury_forward_${metric}`);
    for (let waited = 0; waited < 90 && (await count("queue_requests")) > 0; waited++) await sleep(500);
    await within(5, () => missing() === 0);
    const [accepted, recovered, delivered, dropped, waiting] = await Promise.all(
      ["accepted_total", "recovered_total", "delivered_total", "dropped_total", "queue_requests"].map(count),
    );
    const figures = { accepted, recovered, delivered, dropped, waiting };
    const balanced =
      (accepted ?? 0) + (recovered ?? 0) === (delivered ?? 0) + (dropped ?? 0) + (waiting ?? 0);
    const isRefusedForGood = name === "400";
    const isGood =
      balanced &&
      waiting === 0 &&
      before.refused + during.refused + after.refused === 0 &&
      (isRefusedForGood ? missing() === 5 * (dropped ?? 0) : missing() === 0 && dropped === 0);
    const ackP99Ms = { before: p99(before.latenciesMs), during: p99(during.latenciesMs) };
    const drainedS = Math.round((performance.now() - healed) / 100) / 10;
    const rest = { ackP99Ms, drainedS, peakMiB: peakMiB(tracejury.pid) };
    console.log(JSON.stringify({ trouble: name, isGood, missing: missing(), ...figures, ...rest }));
    return isGood;
  } finally {
    await tracejury.end("SIGTERM");
    await backend.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

let allGood = true;
for (const [name, trouble] of Object.entries(troubles)) {
  if (wanted.length === 0 || wanted.includes(name)) allGood = (await run(name, trouble)) && allGood;
}
process.exitCode = allGood ? 0 : 1;
