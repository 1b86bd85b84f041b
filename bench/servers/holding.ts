import { readFileSync } from "node:fs";
import { Assembler } from "../../src/assemble/assembler.ts";
import { defaultTraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { renumber, traceIdPlaces } from "../data/trace-ids.ts";

/**
 * Buffers spans of open traces and prints the resident bytes per span: `node holding.js SPANS FILE…`. Each file is the body of a request.
 * Bodies are used repeatedly, with new trace ids each time.
 */
const [wanted = "100000", ...files] = process.argv.slice(2);
const bodies = files.map((file) => new Uint8Array(readFileSync(file)));
const places = bodies.map(traceIdPlaces);
const spans = places.reduce((sum, { length }) => sum + length, 0);
const assembler = new Assembler(defaultTraceTimeouts, 1);

function holdOnce(round: number): void {
  for (const [index, body] of bodies.entries()) {
    const copy = new Uint8Array(body);
    renumber(copy, places[index] ?? [], round);
    const read = readTraces(copy);
    if (read.ok) assembler.add(read.batch, 0);
  }
}

async function settle(): Promise<void> {
  for (let times = 0; times < 3; times++) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

holdOnce(0);
await settle();
const before = process.memoryUsage.rss();
const rounds = Math.ceil(Number(wanted) / spans);
for (let round = 1; round <= rounds; round++) holdOnce(round);
await settle();
const held = (process.memoryUsage.rss() - before) / (rounds * spans);
process.stdout.write(JSON.stringify({ held, traces: assembler.openTraces }));
