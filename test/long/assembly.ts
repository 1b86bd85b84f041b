import { Assembler } from "../../src/assemble/assembler.ts";
import { defaultTraceTimeouts, type TraceTimeouts } from "../../src/assemble/timeouts/trace-timeouts.ts";
import { readTracesJson } from "../../src/otlp/json/read-json.ts";
import { createRandom, type Random } from "../../src/report/statistics/samples/random.ts";

/*
 * npm run long -- assembly [TRACES [SEED]]: agent traces of several processes, exported as span processors do (every five seconds, each process
 * at its own moment), delayed, reordered, some sent again later, some lost with their process, through the real assembler in simulated time.
 * Says for timers from a quarter to four times the defaults how many traces were judged on less than what came, and how long verdicts took.
 */

const traces = Number(process.argv[2] ?? 5_000);
const seed = Number(process.argv[3] ?? 1);

/** The world that is simulated; times in milliseconds. */
const world = {
  arrivalsPerSecond: 20,
  medianRunMs: 15_000,
  /** Of the logarithm: one run in a hundred takes some eleven times the median. */
  runSpread: 1,
  processes: 3,
  flushMs: 5_000,
  meanNetworkMs: 100,
  /** Share of exports that fail at first, and how long until they are sent again: the exporters' back-off. */
  retryShare: 0.02,
  meanRetryMs: 8_000,
  /** Share of exports that a process takes with it to its grave. */
  lostShare: 0.002,
} as const;

interface Arrival {
  readonly atMs: number;
  readonly body: Uint8Array;
}

interface Sent {
  readonly spans: number;
  readonly lastAtMs: number;
  readonly whole: boolean;
}

const encoder = new TextEncoder();

/** All exports of all traces in order of arrival, and what of each trace arrives at all. */
function simulate(random: Random): { arrivals: Arrival[]; sent: Map<string, Sent> } {
  const arrivals: Arrival[] = [];
  const sent = new Map<string, Sent>();
  for (let number = 0; number < traces; number++) {
    const traceId = (number + 1).toString(16).padStart(32, "0");
    const exports = exportsOf(traceId, (number / world.arrivalsPerSecond) * 1000, random);
    const kept = exports.filter(() => random.uniform() >= world.lostShare);
    for (const { atMs, spans } of kept) arrivals.push({ atMs, body: encode(spans) });
    sent.set(traceId, {
      spans: kept.reduce((sum, { spans }) => sum + spans.length, 0),
      lastAtMs: Math.max(0, ...kept.map(({ atMs }) => atMs)),
      whole: kept.length === exports.length,
    });
  }
  return { arrivals: arrivals.sort((a, b) => a.atMs - b.atMs), sent };
}

/** A root that ends last, and steps one after the other, each in one of the processes; a span is exported once it has ended. */
function exportsOf(traceId: string, startMs: number, random: Random): { atMs: number; spans: object[] }[] {
  const lengthMs = world.medianRunMs * Math.exp(world.runSpread * random.normal());
  const steps = 3 + random.below(20);
  const phases = Array.from({ length: world.processes }, () => random.uniform() * world.flushMs);
  const batches = new Map<string, { atMs: number; spans: object[] }>();
  const put = (id: number, owner: number, fromMs: number, toMs: number): void => {
    const phase = phases[owner] ?? 0;
    const flush = Math.ceil((toMs - phase) / world.flushMs);
    const key = `${owner}/${flush}`;
    const batch = batches.get(key) ?? { atMs: phase + flush * world.flushMs + delay(random), spans: [] };
    batches.set(key, batch);
    batch.spans.push(span(traceId, id, fromMs, toMs));
  };
  for (let step = 0; step < steps; step++) {
    const fromMs = startMs + (lengthMs * step) / steps;
    put(
      step + 2,
      step === 0 ? 0 : random.below(world.processes),
      fromMs,
      fromMs + (lengthMs / steps) * random.uniform(),
    );
  }
  put(1, 0, startMs, startMs + lengthMs);
  return [...batches.values()];
}

function delay(random: Random): number {
  const network = -world.meanNetworkMs * Math.log(1 - random.uniform());
  return random.uniform() < world.retryShare
    ? network - world.meanRetryMs * Math.log(1 - random.uniform())
    : network;
}

function span(traceId: string, id: number, fromMs: number, toMs: number): object {
  return {
    traceId,
    spanId: id.toString(16).padStart(16, "0"),
    ...(id === 1 ? {} : { parentSpanId: "1".padStart(16, "0") }),
    name: id === 1 ? "invoke_agent" : "chat",
    startTimeUnixNano: `${Math.round(fromMs)}000000`,
    endTimeUnixNano: `${Math.round(toMs)}000000`,
  };
}

function encode(spans: readonly object[]): Uint8Array {
  return encoder.encode(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }));
}

interface Outcome {
  /** Of each trace: when it was first judged, on how many spans, and on how many in the end. */
  readonly judged: Map<string, { firstAtMs: number; first: number; last: number }>;
  readonly heldMax: number;
}

const TICK_MS = 100;

function run(arrivals: readonly Arrival[], timeouts: TraceTimeouts): Outcome {
  const assembler = new Assembler(timeouts, 1);
  const judged: Outcome["judged"] = new Map();
  let heldMax = 0;
  let next = 0;
  const endMs = (arrivals.at(-1)?.atMs ?? 0) + timeouts.maxAgeMs;
  for (let now = 0; next < arrivals.length || (assembler.openTraces > 0 && now < endMs); now += TICK_MS) {
    for (let one = arrivals[next]; one !== undefined && one.atMs <= now; one = arrivals[++next]) {
      const read = readTracesJson(one.body);
      if (!read.ok) throw new Error("the simulation writes what cannot be read");
      assembler.add(read.batch, now);
    }
    for (const { traceId, spans } of assembler.closeDue(now)) {
      const known = judged.get(traceId);
      if (known === undefined)
        judged.set(traceId, { firstAtMs: now, first: spans.length, last: spans.length });
      else known.last = spans.length;
    }
    heldMax = Math.max(heldMax, assembler.openTraces);
  }
  return { judged, heldMax };
}

function scaled(factor: number): TraceTimeouts {
  const { rootQuietMs, rootOpenMs, rootCapMs, idleMs } = defaultTraceTimeouts;
  return {
    ...defaultTraceTimeouts,
    rootQuietMs: rootQuietMs * factor,
    rootOpenMs: rootOpenMs * factor,
    rootCapMs: rootCapMs * factor,
    idleMs: idleMs * factor,
  };
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function row(factor: number, { judged, heldMax }: Outcome, sent: ReadonlyMap<string, Sent>): string {
  let early = 0;
  let mended = 0;
  const waits: number[] = [];
  for (const [traceId, { spans, lastAtMs }] of sent) {
    const found = judged.get(traceId);
    if (found === undefined) continue;
    if (found.first < spans) early++;
    if (found.first < spans && found.last === spans) mended++;
    if (found.first === spans) waits.push((found.firstAtMs - lastAtMs) / 1000);
  }
  const share = (count: number): string => `${((100 * count) / sent.size).toFixed(2)} %`;
  const seconds = (value: number): string => `${value.toFixed(1)} s`;
  return `| ${factor} | ${share(early)} | ${share(mended)} | ${share(early - mended)} | ${seconds(percentile(waits, 0.5))} | ${seconds(percentile(waits, 0.99))} | ${heldMax} |`;
}

const { arrivals, sent } = simulate(createRandom(seed));
const torn = [...sent.values()].filter(({ whole }) => !whole).length;
console.log(
  `${traces} traces, ${arrivals.length} exports, seed ${seed}; ${torn} traces lost an export for good\n`,
);
console.log(
  "| timers × | judged early | mended by a revision | stay wrong | wait p50 | wait p99 | open at most |",
);
console.log("|---|---|---|---|---|---|---|");
for (const factor of [0.25, 0.5, 1, 2, 4]) console.log(row(factor, run(arrivals, scaled(factor)), sent));
