import { mkdirSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { connect, type ClientHttp2Session } from "node:http2";
import { gzipSync } from "node:zlib";
import { Assembler } from "../../src/assemble/assembler.ts";
import { endlessPatience } from "../../src/assemble/patience.ts";
import { adapters } from "../../adapters/index.ts";
import { createAdapt } from "../../src/adapt/adapt.ts";
import { decodeRequest } from "../../src/receive/decode-request.ts";
import { intakeBatches } from "../../src/receive/intake-batches.ts";
import { createReceiver } from "../../src/receive/receiver.ts";
import { agentTrace, requestAsJson, requestAsProtobuf } from "../chaos/agent-trace.ts";
import { mutate } from "../chaos/mutate.ts";
import { seeded } from "../chaos/seeded.ts";

/*
 * npm run fuzz [-- MINUTES [DECODER…] [SEED]]: mutated bodies for each of protobuf, json, grpc and gzip, ten minutes each. Ends with 1 when
 * one of them throws, takes longer than a second for a megabyte, gets no answer or an unknown one, or memory grows past the limit; the body
 * is kept in test/fixtures/fuzz.
 */

const MOST_BYTES = 512 * 2 ** 20;
const words = process.argv.slice(2);
const minutes = Number(words.find((word) => /^[\d.]+$/.test(word)) ?? 10);
const random = seeded(Number(words.find((word) => word.startsWith("seed="))?.slice(5) ?? Date.now()));
const adapt = createAdapt(adapters);

const traces = Array.from({ length: 8 }, (_, n) => agentTrace(5, n, 1 + n, 50 * n));
const bodies = {
  protobuf: traces.map(({ root, tools }) => requestAsProtobuf([root, ...tools])),
  json: traces.map(({ root, tools }) => requestAsJson([root, ...tools])),
};

class Finding extends Error {}

/** Decodes a body and reads what came of it, as the pipeline does. */
function read(body: Uint8Array, encoding: "protobuf" | "json"): void {
  const begun = process.cpuUsage(); // not by the clock: other work of the machine is no fault of ours
  const decoded = decodeRequest(body, random() < 0.8 ? "traces" : "logs", encoding);
  if (decoded.ok && decoded.batch !== null) {
    const assembler = new Assembler(endlessPatience, 1);
    assembler.add(decoded.batch, 0);
    for (const trace of assembler.drain("eof", 0)) adapt(trace);
  }
  const { user, system } = process.cpuUsage(begun);
  const tookMs = (user + system) / 1000;
  if (tookMs > 1000 * Math.max(1, body.length / 2 ** 20)) throw new Finding(`took ${Math.round(tookMs)} ms`);
}

type Try = (pick: (kind: "protobuf" | "json") => Uint8Array) => Uint8Array | Promise<Uint8Array>;
let last: Uint8Array = Buffer.alloc(0);

function keep(body: Uint8Array): Uint8Array {
  last = body;
  return body;
}

async function overSockets(): Promise<{ grpc: Try; gzip: Try; close(): Promise<void> }> {
  const receiver = await createReceiver({
    http: "127.0.0.1:0",
    grpc: "127.0.0.1:0",
    maxBody: 2 ** 22,
    log: { error: (details) => console.error(details) },
    accept: intakeBatches(
      () => undefined,
      () => undefined,
    ),
  });
  const { http, grpc } = receiver.listening;
  let session: ClientHttp2Session | undefined;
  return {
    async gzip(pick) {
      const body = keep(mutate(gzipSync(pick("json")), gzipSync(pick("protobuf")), random));
      const status = await post(`http://${http}/v1/traces`, body);
      if (![200, 400, 413, 503].includes(status)) throw new Finding(`answered ${status}`);
      return body;
    },
    async grpc(pick) {
      if (session === undefined || session.closed || session.destroyed) {
        session = connect(`http://${grpc}`).on("error", () => undefined);
      }
      const message = pick("protobuf");
      const head = Buffer.alloc(5);
      head.writeUInt32BE(message.length, 1);
      const body = keep(mutate(Buffer.concat([head, message]), message, random));
      const status = await call(session, body);
      if (![0, 3, 4, 8, 12, 13, 14].includes(status)) throw new Finding(`answered ${status}`);
      return body;
    },
    async close() {
      session?.destroy();
      await receiver.close(0);
    },
  };
}

function post(url: string, body: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const sent = httpRequest(url, { method: "POST", headers, timeout: 5000 }, (answer) => {
      answer.resume().on("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.on("timeout", () => sent.destroy(new Finding("no answer within 5 s")));
    sent.on("error", reject);
    sent.end(body);
  });
}

function call(session: ClientHttp2Session, body: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    const path = "/opentelemetry.proto.collector.trace.v1.TraceService/Export";
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
    });
    let status = -1;
    const take = (headers: Record<string, unknown>): void => {
      if (headers["grpc-status"] !== undefined) status = Number(headers["grpc-status"]);
    };
    stream.setTimeout(5000, () => reject(new Finding("no answer within 5 s")));
    stream.on("response", take).on("trailers", take).on("error", reject);
    stream.on("close", () => resolve(status)).resume();
    stream.end(body);
  });
}

async function fuzz(name: string, attempt: Try): Promise<boolean> {
  const until = performance.now() + minutes * 60_000;
  let count = 0;
  let mostBytes = 0;
  const pick = (kind: "protobuf" | "json"): Uint8Array => {
    const all = bodies[kind];
    return all[Math.floor(random() * all.length)] ?? Buffer.alloc(0);
  };
  try {
    for (; performance.now() < until; count++) {
      await attempt(pick);
      if (count % 1000 === 0) {
        mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
        if (mostBytes > MOST_BYTES) throw new Finding(`${mostBytes} bytes of memory`);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    console.log(
      JSON.stringify({ decoder: name, bodies: count, rss_mib: Math.round(mostBytes / 2 ** 20), found: 0 }),
    );
    return true;
  } catch (error) {
    const file = `test/fixtures/fuzz/${name}-${Date.now()}.bin`;
    mkdirSync("test/fixtures/fuzz", { recursive: true });
    writeFileSync(file, last);
    console.log(JSON.stringify({ decoder: name, bodies: count, found: 1, file, error: String(error) }));
    console.error(error);
    return false;
  }
}

const sockets = await overSockets();
const decoders: Readonly<Record<string, Try>> = {
  protobuf: (pick) => {
    const body = keep(mutate(pick("protobuf"), pick("protobuf"), random));
    read(body, "protobuf");
    return body;
  },
  json: (pick) => {
    const body = keep(mutate(pick("json"), pick("json"), random));
    read(body, "json");
    return body;
  },
  grpc: sockets.grpc,
  gzip: sockets.gzip,
};
const wanted = words.filter((word) => word in decoders);
let allGood = true;
for (const [name, attempt] of Object.entries(decoders)) {
  if (wanted.length === 0 || wanted.includes(name)) allGood = (await fuzz(name, attempt)) && allGood;
}
await sockets.close();
process.exitCode = allGood ? 0 : 1;
