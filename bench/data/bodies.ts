import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { encode } from "./protobuf.ts";
import { realBodies } from "./real/bodies.ts";
import type { TraceRequest } from "./span.ts";
import { type BodyProfile, requests } from "./requests.ts";

/** Encoded requests, and the number of their spans. */
export interface Bodies {
  readonly protobuf: readonly Uint8Array[];
  /** The same requests as OTLP/JSON, without line feeds. */
  readonly json: readonly string[];
  readonly spans: number;
  /** Protobuf bytes per span. */
  readonly wireBytes: number;
}

const made = new Map<string, Bodies>();

/**
 * Bodies of copied recordings (profile `real`) or of generated requests. Equal arguments give equal bodies. `recordings`: a folder; absent:
 * the project's recordings.
 */
export function bodiesOf(profile: BodyProfile, count: number, seed = 1, recordings?: string): Bodies {
  const key = `${profile} ${count} ${seed} ${recordings ?? ""}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const some = profile === "real" ? [] : [...requests(profile, count, seed)];
  const bodies =
    profile === "real"
      ? realBodies(count, recordings)
      : collect(
          some.map(encode),
          some.map((request) => JSON.stringify(request)),
        );
  made.set(key, bodies);
  return bodies;
}

/** All lines with traces in the `.jsonl` files of a folder and its subfolders. */
export function recordedBodies(folder: string): Bodies {
  const json = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) => readFileSync(join(folder, file), "utf8").split("\n"))
    .filter((line) => line.includes('"resourceSpans"'));
  return collect(
    json.map((line) => encode(JSON.parse(line) as TraceRequest)),
    json,
  );
}

function collect(protobuf: Uint8Array[], json: string[]): Bodies {
  // Each body has its own memory, as bodies from the receiver do.
  const bodies = protobuf.map((body) => body.slice());
  const spans = bodies.reduce((sum, body) => sum + spanCount(body), 0);
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
  return { protobuf: bodies, json, spans, wireBytes: bytes / spans };
}

function spanCount(body: Uint8Array): number {
  const read = readTraces(body);
  if (!read.ok) throw new Error(read.message);
  return read.batch.spanCount;
}
