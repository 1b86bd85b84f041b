import { agentTrace, requestAsJson, requestAsProtobuf } from "../chaos/agent-trace.ts";
import { below, type Random } from "./chance.ts";
import { mutateBytes } from "./mutate-bytes.ts";
import { mutateJson } from "./mutate-json.ts";
import { mutateProtobuf } from "./mutate-protobuf.ts";

export type Encoding = "protobuf" | "json";

const traces = Array.from({ length: 8 }, (_, n) => agentTrace(5, n, 1 + n, 50 * n));
const seeds: Readonly<Record<Encoding, readonly Uint8Array[]>> = {
  protobuf: traces.map(({ root, tools }) => requestAsProtobuf([root, ...tools])),
  json: traces.map(({ root, tools }) => requestAsJson([root, ...tools])),
};

/** A request that is well formed. */
export function seedOf(encoding: Encoding, random: Random): Uint8Array {
  const all = seeds[encoding];
  return all[below(all.length, random)] ?? Buffer.alloc(0);
}

/** A request that is not, more or less: half of them changed in structure, a quarter in their bytes, a quarter in both. */
export function mutantOf(encoding: Encoding, random: Random): Uint8Array {
  const mutate = encoding === "protobuf" ? mutateProtobuf : mutateJson;
  const seed = seedOf(encoding, random);
  const other = seedOf(encoding, random);
  const kind = random();
  const changed = kind < 0.75 ? mutate(seed, other, random) : seed;
  return kind < 0.5 ? changed : mutateBytes(changed, other, random);
}
