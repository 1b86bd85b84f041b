import { isUtf8 } from "node:buffer";
import { readTracesJson } from "../../src/otlp/json/read-json.ts";
import { readTraces } from "../../src/otlp/protobuf/read-protobuf.ts";
import { type Bodies, bodiesOf, recordedBodies } from "../data/bodies.ts";
import { decodeToObjects } from "../data/protobuf.ts";
import type { Case, Figure, Settings } from "../harness/case.ts";
import { ratios } from "../harness/paired.ts";
import { conclude, type Goal, type Result } from "../harness/result.ts";

/** Time from OTLP bodies to span rows, compared with the time to decode the same bodies into objects (protobufjs, `JSON.parse`). */
export const decode: Case = {
  name: "decode",
  figures: [
    against("genai", 12, () => bodiesOf("genai", 32)),
    against("lean", 8, () => bodiesOf("lean", 32)),
    against("plain", 20, () => bodiesOf("plain", 32)),
    against("recordings", 5, ({ recordings }) => recordedBodies(recordings)),
    againstParse("genai", { atLeast: 2.6 }, () => bodiesOf("genai", 32)),
    againstParse("recordings", undefined, ({ recordings }) => recordedBodies(recordings)),
  ],
};

type Given = (settings: Settings) => Bodies;

function against(profile: string, atLeast: number, given: Given): Figure {
  const name = `decode.${profile}`;
  const measure = async (settings: Settings): Promise<Result[]> => {
    const { protobuf } = given(settings);
    const own = (): void => protobuf.forEach((body) => void readTraces(body));
    const other = (): void => protobuf.forEach((body) => void decodeToObjects(body));
    const told = { name, row: "L2", what: "protobufjs decode / decoding into span rows", goal: { atLeast } };
    return [conclude(told, await ratios(other, own, settings))];
  };
  return { names: [name], rows: ["L2"], measure };
}

function againstParse(profile: string, goal: Goal | undefined, given: Given): Figure {
  const name = `decode.json.${profile}`;
  const measure = async (settings: Settings): Promise<Result[]> => {
    const lines = given(settings).json.map((line) => Buffer.from(line));
    const own = (): void => lines.forEach((line) => void readTracesJson(line, isUtf8(line)));
    const other = (): void => lines.forEach((line) => void JSON.parse(line.toString()));
    const told = { name, what: "JSON.parse / decoding JSON into span rows", better: "more" } as const;
    return [conclude(goal === undefined ? told : { ...told, goal }, await ratios(other, own, settings))];
  };
  return { names: [name], rows: [], measure };
}
