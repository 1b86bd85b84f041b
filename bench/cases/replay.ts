import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replay as replayFiles } from "../../src/replay/replay.ts";
import { bodiesOf } from "../data/bodies.ts";
import { decodeToObjects } from "../data/protobuf.ts";
import type { Profile } from "../data/requests.ts";
import { judgeAll } from "../engine.ts";
import type { Case, Settings } from "../harness/case.ts";
import { ratios, type Side } from "../harness/paired.ts";
import { conclude, type Result } from "../harness/result.ts";

/** CPU from dump files to verdicts, compared with `JSON.parse` of the same lines, or with protobufjs decoding the same records. */
export const replay: Case = {
  name: "replay",
  figures: (["genai", "lean", "plain"] as const).flatMap((profile) =>
    (["json", "protobuf"] as const).map((form) => ({
      names: [`replay.${form}.${profile}`],
      rows: form === "json" ? ["L3"] : [],
      measure: (settings) => measured(form, profile, settings),
    })),
  ),
};

/** V8 compiles the evaluation code during about the first 30,000 spans, which are not measured. */
const WARM_MS = 2_500;

async function measured(form: "json" | "protobuf", profile: Profile, settings: Settings): Promise<Result[]> {
  const { json, protobuf } = bodiesOf(profile, 16);
  const isJson = form === "json";
  const folder = mkdtempSync(join(tmpdir(), "tracejury-bench-"));
  const file = join(folder, isJson ? "dump.jsonl" : "dump.pb");
  const records = protobuf.flatMap((body) => [lengthOf(body), body]);
  writeFileSync(file, isJson ? json.map((line) => `${line}\n`).join("") : Buffer.concat(records));
  const other: Side = isJson
    ? () => json.forEach((line) => void JSON.parse(line))
    : () => protobuf.forEach((body) => void decodeToObjects(body));
  try {
    const values = await ratios(other, () => judge(file), { ...settings, warmMs: WARM_MS });
    const what = `${isJson ? "JSON.parse of the lines" : "protobufjs decode"} / from file to verdicts`;
    const name = `replay.${form}.${profile}`;
    const told = isJson ? { name, row: "L3", what, goal: { atLeast: 4.5 } } : { name, what };
    return [conclude({ ...told, better: "more" }, values)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The Collector's file exporter writes the length before each record, as four bytes, big-endian. */
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
