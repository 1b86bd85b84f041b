import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { bodiesOf } from "../data/bodies.ts";
import type { BodyProfile } from "../data/requests.ts";
import { pin } from "../harness/child.ts";
import type { Server } from "./sides.ts";

export interface Load {
  readonly profile: BodyProfile;
  readonly form?: "protobuf" | "json" | "gzip";
  readonly protocol?: "http" | "grpc";
  readonly count: number;
  /** Requests a second; as many as are answered when absent. */
  readonly rate?: number;
  /** Waits until the server works no more, which holds what it gets for so long before it goes on. */
  readonly settleAfterS?: number;
  /** What the profile `real` is made of; the project's own recordings when absent. */
  readonly recordings?: string | undefined;
  /** Trace ids and texts of copied recordings differ between seeds, which are at most 255. */
  readonly seed: number;
}

/** What the sender tells: spans taken, seconds of the server's CPU, its resident bytes before and at most, milliseconds until the answer. */
export interface Sent {
  readonly spans: number;
  readonly refused: number;
  readonly cpu: number;
  readonly wall: number;
  readonly idle: number;
  readonly peak: number;
  readonly p50: number;
  readonly p99: number;
}

/** Rejects when a request was refused. */
export async function send(sender: string, folder: string, server: Server, load: Load): Promise<Sent> {
  const { form = "protobuf", protocol = "http", count, rate = 0, settleAfterS, seed } = load;
  const [command, args] = pin(
    sender,
    [
      `-url=http://127.0.0.1:${protocol === "grpc" ? server.grpc : server.http}`,
      `-bodies=${bodies(folder, load)}`,
      `-form=${form}`,
      `-protocol=${protocol}`,
      `-connections=${protocol === "grpc" ? 8 : 4}`,
      `-pid=${server.pid}`,
      `-count=${count}`,
      `-rate=${rate}`,
      `-seed=${seed}`,
      `-settle=${settleAfterS !== undefined}`,
      `-hold=${settleAfterS ?? 0}s`,
    ],
    "others",
  );
  const { stdout } = await promisify(execFile)(command, args);
  const sent = JSON.parse(stdout) as Sent;
  if (sent.refused > 0) throw new Error(`${sent.refused} requests were refused`);
  return sent;
}

const bodyCounts: Partial<Record<BodyProfile, number>> = { small: 256, real: 32 };

/** The folder of a profile's bodies, made the first time. */
function bodies(folder: string, { profile, recordings }: Load): string {
  const name =
    recordings === undefined ? "" : `-${createHash("sha256").update(recordings).digest("hex").slice(0, 8)}`;
  const path = join(folder, profile === "real" ? `real${name}` : profile);
  if (existsSync(join(path, "0.json"))) return path;
  mkdirSync(path, { recursive: true });
  const { protobuf, json } = bodiesOf(profile, bodyCounts[profile] ?? 16, 1, recordings);
  for (const [index, body] of protobuf.entries()) writeFileSync(join(path, `${index}.pb`), body);
  for (const [index, body] of json.entries()) writeFileSync(join(path, `${index}.json`), body);
  return path;
}
