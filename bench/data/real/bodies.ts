import { encode } from "../protobuf.ts";
import { Random } from "../random.ts";
import type { Bodies } from "../bodies.ts";
import { type ExportRequest, type Json, ownRecordings, recordingsBelow } from "./recordings.ts";
import { Replica } from "./replica.ts";

const replicasByFolder = new Map<string, readonly Replica[]>();

/** All recordings in a folder and its subfolders; without a folder, the project's recordings. */
export function replicasOf(folder?: string): readonly Replica[] {
  const key = folder ?? "";
  const known = replicasByFolder.get(key);
  if (known !== undefined) return known;
  const replicas = recordingsBelow(folder === undefined ? ownRecordings : [folder]).map(
    (recording) => new Replica(recording),
  );
  replicasByFolder.set(key, replicas);
  return replicas;
}

export interface Dump {
  /** OTLP/JSON lines, each with its line feed. */
  readonly lines: readonly string[];
  readonly spans: number;
  /** Number of copies of recordings. */
  readonly runs: number;
}

/**
 * Makes dumps from copies of recordings, one recording after the other, in a random order with a fixed seed: a dump that is smaller than
 * all recordings together is a sample of all. No copy is used twice.
 */
export class DumpStream {
  readonly #replicas: readonly Replica[];
  #taken = 0;

  constructor(replicas: readonly Replica[]) {
    this.#replicas = shuffled(replicas);
  }

  /** The next copies, with at least `leastSpans` spans in total. */
  take(leastSpans: number): Dump {
    const lines: string[] = [];
    let spans = 0;
    const first = this.#taken;
    while (spans < leastSpans) {
      const replica = this.#replicas[this.#taken % this.#replicas.length];
      const copy = 1 + Math.floor(this.#taken++ / this.#replicas.length);
      for (const request of replica?.copy(copy) ?? []) {
        lines.push(`${JSON.stringify(request.document)}\n`);
        spans += spansIn(request);
      }
    }
    return { lines, spans, runs: this.#taken - first };
  }
}

function shuffled(replicas: readonly Replica[]): readonly Replica[] {
  const random = new Random(1);
  return replicas
    .map((replica) => ({ replica, rank: random.unit() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ replica }) => replica);
}

const SPANS_A_BODY = 512;
const ACTIVE = 12;

/**
 * Bodies with 512 spans or slightly more. Each body mixes the requests of up to 12 recordings; the requests of a recording stay in order.
 * Recordings with log records are left out, because log records need another endpoint.
 */
export function realBodies(count: number, folder?: string): Bodies {
  const random = new Random(1);
  const replicas = replicasOf(folder).filter(({ requests }) =>
    requests.every(({ signal }) => signal === "traces"),
  );
  if (replicas.length === 0) throw new Error("each recording has log records; add one without");
  const json: string[] = [];
  const active: ExportRequest[][] = [];
  let made = 0;
  let spans = 0;
  while (json.length < count) {
    const resourceSpans: Json[] = [];
    let spansInBody = 0;
    while (spansInBody < SPANS_A_BODY) {
      while (active.length < ACTIVE) {
        const replica = replicas[made % replicas.length];
        active.push(replica?.copy(1 + Math.floor(made++ / replicas.length)) ?? []);
      }
      const at = random.int(0, active.length - 1);
      const request = active[at]?.shift();
      if (request === undefined) {
        active.splice(at, 1);
        continue;
      }
      resourceSpans.push(...(request.document["resourceSpans"] as Json[]));
      spansInBody += spansIn(request);
    }
    spans += spansInBody;
    json.push(JSON.stringify({ resourceSpans }));
  }
  const protobuf = json.map((body) => encode(JSON.parse(body) as Json).slice());
  const bytes = protobuf.reduce((sum, body) => sum + body.length, 0);
  return { protobuf, json, spans, wireBytes: bytes / spans };
}

function spansIn({ document }: ExportRequest): number {
  const groups = (document["resourceSpans"] ?? []) as { scopeSpans?: { spans?: unknown[] }[] }[];
  return groups
    .flatMap(({ scopeSpans = [] }) => scopeSpans)
    .reduce((sum, { spans = [] }) => sum + spans.length, 0);
}
