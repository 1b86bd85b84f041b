import { createReadStream, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { replay as replayFiles } from "../../src/cli/engine/replay.ts";
import { bodiesOf } from "../data/bodies.ts";
import { type ObjectRequest, ObjectTraces } from "../data/object-runs.ts";
import { decodeToObjects } from "../data/protobuf.ts";
import { judgeAll } from "../engine.ts";
import type { Case, Settings } from "../harness/case.ts";
import { ratios, type Side } from "../harness/paired.ts";
import { conclude, type Result, type Told } from "../harness/result.ts";

/** Dump files to verdicts: JSON lines against parsing the lines alone, protobuf records against protobufjs's objects alone. */
export const replay: Case = {
  name: "replay",
  rows: ["L3", "G6", "G7"],
  run: async (settings) => {
    const folder = mkdtempSync(join(tmpdir(), "tracejury-bench-"));
    try {
      const results: Result[] = [];
      for (const profile of ["genai", "lean", "plain"] as const)
        results.push(...(await both(profile, folder, settings)));
      return results;
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
};

async function both(
  profile: "genai" | "lean" | "plain",
  folder: string,
  settings: Settings,
): Promise<Result[]> {
  const { json, protobuf } = bodiesOf(profile, 16);
  const lines = join(folder, `${profile}.jsonl`);
  const records = join(folder, `${profile}.pb`);
  writeFileSync(lines, json.map((line) => `${line}\n`).join(""));
  writeFileSync(records, Buffer.concat(protobuf.flatMap((body) => [lengthOf(body), body])));
  const parse = (): void => json.forEach((line) => void JSON.parse(line));
  const objects = (): void => protobuf.forEach((body) => void decodeToObjects(body));
  const copies = protobuf.map((body) => new Uint8Array(body.length));
  const copy = (): void => protobuf.forEach((body, at) => copies[at]?.set(body));
  const figure = async (told: Told, other: Side, file: string): Promise<Result> =>
    conclude(told, await ratios(other, () => judge(file), settings));
  return [
    await figure(
      {
        name: `replay.json.${profile}`,
        row: "L3",
        what: "JSON.parse of the lines / file to verdicts",
        goal: { atLeast: 4.5 },
      },
      parse,
      lines,
    ),
    await figure(
      {
        name: `replay.json.objects.${profile}`,
        row: "G6",
        what: "readline, JSON.parse, a map and the same checks / file to verdicts",
        goal: { atLeast: profile === "plain" ? 10 : 15 },
      },
      () => judgeObjects(parsedLines(lines)),
      lines,
    ),
    await figure(
      { name: `replay.protobuf.${profile}`, what: "protobufjs decode / file to verdicts" },
      objects,
      records,
    ),
    await figure(
      {
        name: `replay.protobuf.objects.${profile}`,
        row: "G7",
        what: "protobufjs objects, a map and the same checks / file to verdicts",
        goal: { atLeast: 30 },
      },
      () => judgeObjects(protobuf.map((body) => decodeToObjects(body) as ObjectRequest)),
      records,
    ),
    await figure(
      {
        name: `replay.protobuf.copy.${profile}`,
        what: "copying the bytes in memory / file to verdicts",
        ...(profile === "genai" ? { row: "G7", goal: { atLeast: 0.08 } } : {}),
      },
      copy,
      records,
    ),
  ];
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
