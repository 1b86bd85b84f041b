import { mkdirSync, writeFileSync } from "node:fs";
import { Finding } from "../fuzz/finding.ts";
import { startFuzzedReceiver } from "../fuzz/fuzz-receiver.ts";
import { mutantOf } from "../fuzz/mutants.ts";
import { mutateCoded } from "../fuzz/mutate-coded.ts";
import { mutateGrpc } from "../fuzz/mutate-grpc.ts";
import { mutateText } from "../fuzz/mutate-text.ts";
import { readBody } from "../fuzz/read-body.ts";
import { placeText, readValue } from "../fuzz/read-value.ts";
import { seeded } from "../fuzz/seeded.ts";

/*
 * npm run fuzz [-- MINUTES [DECODER…] [seed=N]]: sends requests with changed structure and bytes to the decoders protobuf, json, grpc and
 * gzip, and nested texts in all places whose values are parsed (values), for ten minutes each. Exit code 1: a decoder throws, needs more
 * than a second for a megabyte, gives no known answer, or exceeds the memory limit. The input is then saved in test/fixtures/fuzz, where a
 * test reads it.
 */

const MOST_BYTES = 512 * 2 ** 20;
const words = process.argv.slice(2);
const minutes = Number(words.find((word) => /^[\d.]+$/.test(word)) ?? 10);
const seed = Number(words.find((word) => word.startsWith("seed="))?.slice(5) ?? Date.now());
const random = seeded(seed);
const receiver = await startFuzzedReceiver();
/** The latest input in the form of its fixture. */
let last: Uint8Array | object = Buffer.alloc(0);
let taken = 0;

const decoders: Readonly<Record<string, () => void | Promise<void>>> = {
  protobuf: () => readMutant("protobuf"),
  json: () => readMutant("json"),
  grpc: () => {
    const attempt = mutateGrpc(random);
    last = { ...attempt, pieces: attempt.pieces.map((piece) => Buffer.from(piece).toString("base64")) };
    return receiver.call(attempt);
  },
  gzip: () => {
    const attempt = mutateCoded(random);
    last = { ...attempt, body: Buffer.from(attempt.body).toString("base64") };
    return receiver.post(attempt);
  },
  values: () => {
    const placed = placeText(mutateText(random), random);
    last = placed;
    if (readValue(placed) > 0) taken++;
  },
};

function readMutant(encoding: "protobuf" | "json"): void {
  const body = mutantOf(encoding, random);
  last = body;
  if (readBody(body, encoding, random() < 0.8 ? "traces" : "logs") > 0) taken++;
}

async function fuzz(name: string, attempt: () => void | Promise<void>): Promise<boolean> {
  const until = performance.now() + minutes * 60_000;
  let count = 0;
  let mostBytes = 0;
  taken = 0;
  const say = (more: object): void => {
    const seen = name === "grpc" || name === "gzip" ? {} : { taken };
    const rss = { rss_mib: Math.round(mostBytes / 2 ** 20) };
    console.log(JSON.stringify({ decoder: name, minutes, seed, inputs: count, ...seen, ...rss, ...more }));
  };
  try {
    for (; performance.now() < until; count++) {
      await attempt();
      if (count % 200 !== 0) continue;
      mostBytes = Math.max(mostBytes, process.memoryUsage.rss());
      if (mostBytes > MOST_BYTES) throw new Finding(`${mostBytes} bytes of memory`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    say({ found: 0 });
    return true;
  } catch (error) {
    mkdirSync("test/fixtures/fuzz", { recursive: true });
    const isBytes = last instanceof Uint8Array;
    const file = `test/fixtures/fuzz/${name}-${Date.now()}.${isBytes ? "bin" : "json"}`;
    writeFileSync(file, last instanceof Uint8Array ? last : JSON.stringify(last));
    say({ found: 1, file, error: String(error) });
    console.error(error);
    return false;
  }
}

const wanted = words.filter((word) => word in decoders);
let allGood = true;
for (const [name, attempt] of Object.entries(decoders)) {
  if (wanted.length === 0 || wanted.includes(name)) allGood = (await fuzz(name, attempt)) && allGood;
}
await receiver.close();
process.exitCode = allGood ? 0 : 1;
