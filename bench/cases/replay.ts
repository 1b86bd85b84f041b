import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { replay as replayFiles } from "../../src/replay/replay.ts";
import { bodiesOf } from "../data/bodies.ts";
import { type ObjectRequest, ObjectTraces } from "../data/object-runs.ts";
import { decodeToObjects } from "../data/protobuf.ts";
import type { Profile } from "../data/requests.ts";
import { judgeAll } from "../engine.ts";
import type { Case, Settings } from "../harness/case.ts";
import { measure, type Side } from "../harness/paired.ts";
import { conclude, type Result, type Told } from "../harness/result.ts";

/** Dump files to verdicts: JSON lines against parsing the lines alone, protobuf records against protobufjs's objects alone. */
export const replay: Case = {
  name: "replay",
  figures: (["genai", "lean", "plain"] as const).flatMap((profile) => [
    {
      names: [`replay.json.${profile}`, `replay.json.objects.${profile}`],
      rows: ["L3", "G6"],
      measure: (settings) => inFolder((folder) => fromLines(profile, folder, settings)),
    },
    {
      names: ["", "objects.", "copy."].map((against) => `replay.protobuf.${against}${profile}`),
      rows: ["G7"],
      measure: (settings) => inFolder((folder) => fromRecords(profile, folder, settings)),
    },
  ]),
};

async function inFolder(measured: (folder: string) => Promise<Result[]>): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-bench-"));
  try {
    return await measured(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Judging is much code, and is compiled bit by bit: some 30,000 spans. */
const WARM_MS = 2_500;

/** How many times the CPU of judging `file` each of the others takes, all in the same rounds. */
async function against(
  file: string,
  others: readonly (readonly [Side, Told])[],
  settings: Settings,
): Promise<Result[]> {
  const rounds = await measure([() => judge(file), ...others.map(([side]) => side)], {
    ...settings,
    warmMs: WARM_MS,
  });
  return others.map(([, told], at) =>
    conclude(
      told,
      rounds.map(([own = Number.NaN, ...costs]) => (costs[at] ?? Number.NaN) / own),
    ),
  );
}

async function fromLines(profile: Profile, folder: string, settings: Settings): Promise<Result[]> {
  const { json } = bodiesOf(profile, 16);
  const file = join(folder, "dump.jsonl");
  writeFileSync(file, json.map((line) => `${line}\n`).join(""));
  const parse = (): void => json.forEach((line) => void JSON.parse(line));
  const parsed = {
    name: `replay.json.${profile}`,
    row: "L3",
    what: "JSON.parse of the lines / file to verdicts",
    goal: { atLeast: 4.5 },
  };
  const objects = {
    name: `replay.json.objects.${profile}`,
    row: "G6",
    what: "readline, JSON.parse, a map and the same checks / file to verdicts",
    goal: { atLeast: profile === "plain" ? 10 : 15 },
  };
  return against(
    file,
    [
      [parse, parsed],
      [() => judgeObjects(parsedLines(file)), objects],
    ],
    settings,
  );
}

async function fromRecords(profile: Profile, folder: string, settings: Settings): Promise<Result[]> {
  const { protobuf } = bodiesOf(profile, 16);
  const file = join(folder, "dump.pb");
  writeFileSync(file, Buffer.concat(protobuf.flatMap((body) => [lengthOf(body), body])));
  const decode = (): void => protobuf.forEach((body) => void decodeToObjects(body));
  const decoded: Told = {
    name: `replay.protobuf.${profile}`,
    what: "protobufjs decode / file to verdicts",
    better: "more",
  };
  const judged = () => judgeObjects(protobuf.map((body) => decodeToObjects(body) as ObjectRequest));
  const objects = {
    name: `replay.protobuf.objects.${profile}`,
    row: "G7",
    what: "protobufjs objects, a map and the same checks / file to verdicts",
    goal: { atLeast: 30 },
  };
  const copies = protobuf.map((body) => new Uint8Array(body.length));
  const copy = (): void => protobuf.forEach((body, at) => copies[at]?.set(body));
  const copied: Told = {
    name: `replay.protobuf.copy.${profile}`,
    what: "copying the bytes in memory / file to verdicts",
    better: "more",
    ...(profile === "genai" ? { row: "G7", goal: { atLeast: 0.08 } } : {}),
  };
  return against(
    file,
    [
      [decode, decoded],
      [judged, objects],
      [copy, copied],
    ],
    settings,
  );
}

async function* parsedLines(file: string): AsyncGenerator<ObjectRequest> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  for await (const line of lines) yield JSON.parse(line) as ObjectRequest;
}

/** As somebody would write it who has no engine. */
async function judgeObjects(requests: AsyncIterable<ObjectRequest> | Iterable<ObjectRequest>): Promise<void> {
  const traces = new ObjectTraces();
  for await (const request of requests) traces.add(request);
  for (const run of traces.take(true)) judgeRun(run);
}

/** The Collector's file exporter writes the length of a record before it, four bytes, big-endian. */
function lengthOf(body: Uint8Array): Uint8Array {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return length;
}

const judgeRun = judgeAll();

async function judge(file: string): Promise<void> {
  const { invalid } = await replayFiles([file], {
    config: { attributes: [], prices: {} },
    stdin: process.stdin,
    onRun: (run) => void judgeRun(run),
  });
  if (invalid.length > 0) throw new Error(invalid[0]?.reason);
}
