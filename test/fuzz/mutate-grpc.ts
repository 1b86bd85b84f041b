import { deflateSync, gzipSync } from "node:zlib";
import { below, oneOf, type Random } from "./chance.ts";
import { mutantOf, seedOf } from "./mutants.ts";
import { mutateBytes } from "./mutate-bytes.ts";

export interface GrpcAttempt {
  readonly headers: Readonly<Record<string, string>>;
  /** Written one after the other. */
  readonly pieces: readonly Uint8Array[];
  /** The client goes away before it has said that this was all. */
  readonly isCancelled: boolean;
}

type Compress = (bytes: Uint8Array) => Uint8Array;
const asIs: Compress = (bytes) => bytes;

/** A call with none, one or several frames: lengths that do not fit, flags that do not, codings that are not what they say. */
export function mutateGrpc(random: Random): GrpcAttempt {
  const frames = Array.from({ length: random() < 0.8 ? 1 : below(4, random) }, () => frame(random));
  const whole = Buffer.concat(frames);
  const sent = random() < 0.2 ? mutateBytes(whole, whole, random) : whole;
  const coding = oneOf(["gzip", "gzip", "identity", "deflate", "zstd", "snappy", ""], random);
  const type =
    random() < 0.9 ? "application/grpc" : oneOf(["application/grpc+json", "application/grpcx"], random);
  const timeout = oneOf(["1S", "0n", "99999999H", "1", "-1S", "1x"], random);
  return {
    headers: {
      "content-type": type,
      ...(random() < 0.6 ? { "grpc-encoding": coding } : {}),
      ...(random() < 0.1 ? { "grpc-timeout": timeout } : {}),
    },
    pieces: cut(sent, random),
    isCancelled: random() < 0.05,
  };
}

function frame(random: Random): Buffer {
  const message = random() < 0.3 ? seedOf("protobuf", random) : mutantOf("protobuf", random);
  const compress = oneOf([asIs, gzipSync, deflateSync], random)(message);
  const head = Buffer.alloc(5);
  head.writeUInt8(random() < 0.9 ? below(2, random) : below(256, random), 0);
  const length =
    random() < 0.85 ? compress.length : oneOf([0, compress.length + 1, 2 ** 32 - 1, 2 ** 22 + 1], random);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, compress]);
}

/** Into up to eight pieces, wherever. */
function cut(bytes: Uint8Array, random: Random): Uint8Array[] {
  const marks = Array.from({ length: below(8, random) }, () => below(bytes.length + 1, random)).sort(
    (a, b) => a - b,
  );
  const ends = [...marks, bytes.length];
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1], end));
}
