import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { encode, encodeJson } from "./protobuf.ts";
import { realBodies } from "./real/bodies.ts";
import { type BodyProfile, type Profile, requests } from "./requests.ts";

/** Bodies of requests and how many spans they hold. */
export interface Bodies {
  readonly protobuf: readonly Uint8Array[];
  /** The same as OTLP/JSON, without line ends. */
  readonly json: readonly string[];
  readonly spans: number;
  /** Protobuf bytes a span. */
  readonly wireBytes: number;
}

const made = new Map<string, Bodies>();

/** Bodies of replicated recordings, or generated ones; equal arguments give equal bodies. `recordings`: the project's own when absent. */
export function bodiesOf(profile: BodyProfile, count: number, seed = 1, recordings?: string): Bodies {
  const key = `${profile} ${count} ${seed} ${recordings ?? ""}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const bodies = profile === "real" ? realBodies(count, recordings) : generated(profile, count, seed);
  made.set(key, bodies);
  return bodies;
}

function generated(profile: Profile, count: number, seed: number): Bodies {
  const some = [...requests(profile, count, seed)];
  return collect(
    some.map(encode),
    some.map((request) => JSON.stringify(request)),
  );
}

/** Every line of traces in the `.jsonl` files of a folder and those below. */
export function recordedBodies(folder: string): Bodies {
  const json = filesBelow(folder)
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .filter((line) => line.includes('"resourceSpans"'));
  return collect(
    json.map((line) => encodeJson(JSON.parse(line))),
    json,
  );
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });
}

function collect(protobuf: Uint8Array[], json: string[]): Bodies {
  // Of their own memory each, as the receiver hands them over.
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
