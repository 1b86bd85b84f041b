import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { below, oneOf, type Random } from "./chance.ts";
import { mutantOf, seedOf, type Encoding } from "./mutants.ts";
import { mutateBytes } from "./mutate-bytes.ts";

export interface HttpAttempt {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

type Compress = (bytes: Uint8Array) => Uint8Array;
const compressions: readonly [Compress, ...Compress[]] = [
  gzipSync,
  gzipSync,
  (bytes) => gzipSync(bytes, { level: 0 }),
  (bytes) => Buffer.concat([gzipSync(bytes.subarray(0, 20)), gzipSync(bytes.subarray(20))]),
  (bytes) => Buffer.concat([gzipSync(bytes), Buffer.from("what comes behind")]),
  (bytes) => gzipSync(gzipSync(bytes)),
  deflateSync,
  deflateRawSync,
];
const types: Readonly<Record<Encoding, string>> = {
  protobuf: "application/x-protobuf",
  json: "application/json",
};
const INFLATED = 32 * 2 ** 20;
/** Inflates to eight times what is taken. */
const bomb = gzipSync(Buffer.alloc(INFLATED, " "));

/** A compressed request over HTTP: changed inside, in its compressed bytes, in both, or not what its headers say. */
export function mutateCoded(random: Random): HttpAttempt {
  const encoding: Encoding = random() < 0.5 ? "json" : "protobuf";
  const coding = random() < 0.8 ? "gzip" : oneOf(["deflate", "zstd", "GZIP", "gzip, gzip", "br", ""], random);
  const headers = {
    "content-type": types[encoding],
    ...(coding === "" ? {} : { "content-encoding": coding }),
  };
  if (random() < 0.002) return { headers, body: bomb };
  const plain = random() < 0.5 ? mutantOf(encoding, random) : seedOf(encoding, random);
  const coded = oneOf(compressions, random)(plain);
  const isBroken = random() < 0.6;
  const other = isBroken ? gzipSync(seedOf(encoding, random)) : coded;
  const body = isBroken ? mutateBytes(coded, other, random) : coded;
  return { headers, body: random() < 0.1 ? body.subarray(0, below(body.length, random)) : body };
}
