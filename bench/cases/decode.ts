import { isUtf8 } from "node:buffer";
import { readTracesJson } from "../../src/otlp/read-json.ts";
import { readTraces } from "../../src/otlp/read-protobuf.ts";
import { type Bodies, bodiesOf, recordedBodies } from "../data/bodies.ts";
import { decodeToObjects } from "../data/protobuf.ts";
import { type Case, type Settings } from "../harness/case.ts";
import { ratios } from "../harness/paired.ts";
import { conclude, type Goal, type Result } from "../harness/result.ts";

/** Bodies to rows, against what only makes objects of them: protobufjs, and `JSON.parse`. */
export const decode: Case = {
  name: "decode",
  rows: ["L2"],
  run: async (settings) => {
    const genai = bodiesOf("genai", 32);
    const plain = bodiesOf("plain", 32);
    const recorded = recordedBodies(settings.recordings);
    return [
      await against("genai", 12, genai, settings),
      await against("lean", 8, bodiesOf("lean", 32), settings),
      await against("plain", 20, plain, settings),
      await against("recordings", 5, recorded, settings),
      await againstParse("genai", { atLeast: 2.6 }, genai, settings),
      await againstParse("plain", undefined, plain, settings),
      await againstParse("recordings", undefined, recorded, settings),
      garbage("genai", genai, settings),
      garbage("plain", plain, settings),
    ];
  },
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
    { name: `decode.${name}`, row: "L2", what: "protobufjs decode / our rows", goal: { atLeast } },
    await ratios(other, own, settings),
  );
}

async function againstParse(
  name: string,
  goal: Goal | undefined,
  { json }: Bodies,
  settings: Settings,
): Promise<Result> {
  const lines = json.map((line) => Buffer.from(line));
  const own = (): void => lines.forEach((line) => void readTracesJson(line, isUtf8(line)));
  const other = (): void => lines.forEach((line) => void JSON.parse(line.toString()));
  const told = { name: `decode.json.${name}`, what: "JSON.parse / our rows, from JSON" };
  return conclude(goal === undefined ? told : { ...told, goal }, await ratios(other, own, settings));
}

/** Bytes on the garbage collector's heap that reading leaves behind, a span. */
function garbage(name: string, { protobuf, spans }: Bodies, { rounds }: Settings): Result {
  const read = (): void => protobuf.forEach((body) => void readTraces(body));
  read();
  const bytes = Array.from({ length: rounds }, () => {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    read();
    return Math.max(0, process.memoryUsage().heapUsed - before) / spans;
  });
  const what = "heap that reading a span leaves to be collected";
  return conclude(
    { name: `decode.garbage.${name}`, row: "L2", what, unit: "B", goal: { atMost: 64 } },
    bytes,
  );
}
