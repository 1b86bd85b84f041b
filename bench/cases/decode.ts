import { readTraces } from "../../src/otlp/read-protobuf.ts";
import { type Bodies, bodiesOf, recordedBodies } from "../data/bodies.ts";
import { decodeToObjects } from "../data/protobuf.ts";
import { type Case, type Settings } from "../harness/case.ts";
import { ratios } from "../harness/paired.ts";
import { conclude, type Result } from "../harness/result.ts";

/** Protobuf bodies to rows, against protobufjs that only makes its objects. */
export const decode: Case = {
  name: "decode",
  run: async (settings) => [
    await against("genai", 8, bodiesOf("genai", 32), settings),
    await against("lean", 8, bodiesOf("lean", 32), settings),
    await against("plain", 8, bodiesOf("plain", 32), settings),
    await against("recordings", 5, recordedBodies(settings.recordings), settings),
  ],
};

async function against(
  name: string,
  atLeast: number,
  { protobuf }: Bodies,
  settings: Settings,
): Promise<Result> {
  const own = (): void => protobuf.forEach((body) => void readTraces(body));
  const other = (): void => protobuf.forEach((body) => void decodeToObjects(body));
  return conclude(
    { name: `decode.${name}`, what: "protobufjs decode / our rows", goal: { atLeast } },
    await ratios(other, own, settings),
  );
}
