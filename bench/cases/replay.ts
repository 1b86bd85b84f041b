import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replay as replayFiles } from "../../src/cli/engine/replay.ts";
import { bodiesOf } from "../data/bodies.ts";
import { decodeToObjects } from "../data/protobuf.ts";
import { judgeAll } from "../engine.ts";
import type { Case, Settings } from "../harness/case.ts";
import { ratios } from "../harness/paired.ts";
import { conclude, type Result } from "../harness/result.ts";

/** Dump files to verdicts: JSON lines against parsing the lines alone, protobuf records against protobufjs's objects alone. */
export const replay: Case = {
  name: "replay",
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
  return [
    conclude(
      {
        name: `replay.json.${profile}`,
        what: "JSON.parse of the lines / file to verdicts",
        goal: { atLeast: 2.5 },
      },
      await ratios(parse, () => judge(lines), settings),
    ),
    conclude(
      { name: `replay.protobuf.${profile}`, what: "protobufjs decode / file to verdicts" },
      await ratios(objects, () => judge(records), settings),
    ),
  ];
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
