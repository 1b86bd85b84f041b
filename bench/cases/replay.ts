import { readJsonTraces } from "./read-json.ts";
import { readTraces } from "../../src/otlp/read-protobuf.ts";
import type { Batch } from "../../src/otlp/batch.ts";
import { bodiesOf } from "../data/bodies.ts";
import { decodeToObjects } from "../data/protobuf.ts";
import { benchEngine, judgeAll } from "../engine.ts";
import type { Case } from "../harness/case.ts";
import { ratios } from "../harness/paired.ts";
import { conclude, type Goal } from "../harness/result.ts";

const profiles = ["genai", "lean", "plain"] as const;

/** Bodies of a dump to verdicts, in one process: JSON lines against parsing them alone, protobuf against protobufjs's objects alone. */
export const replay: Case = {
  name: "replay",
  run: (settings) =>
    profiles.flatMap((profile) => {
      const { json, protobuf } = bodiesOf(profile, 16);
      const lines = json.map((line) => new TextEncoder().encode(line));
      const goal: Goal = { atLeast: 2.5 };
      const parse = (): void => lines.forEach((line) => void JSON.parse(new TextDecoder().decode(line)));
      const objects = (): void => protobuf.forEach((body) => void decodeToObjects(body));
      const fromJson = (): void => judge(lines, readJsonTraces);
      const fromProtobuf = (): void => judge(protobuf, readTraces);
      return [
        conclude(
          { name: `replay.json.${profile}`, what: "JSON.parse of the lines / lines to verdicts", goal },
          ratios(parse, fromJson, settings),
        ),
        conclude(
          { name: `replay.protobuf.${profile}`, what: "protobufjs decode / bodies to verdicts" },
          ratios(objects, fromProtobuf, settings),
        ),
      ];
    }),
};

type Read = (body: Uint8Array) => { readonly ok: true; readonly batch: Batch } | { readonly ok: false };

function judge(bodies: readonly Uint8Array[], read: Read): void {
  const judgeRun = judgeAll();
  const { pipeline } = benchEngine((run) => void judgeRun(run), { lateWindowMs: 0 });
  for (const body of bodies) {
    const result = read(body);
    if (result.ok) pipeline.accept(result.batch, 0);
  }
  pipeline.drain("eof", 0);
}
