import { InvalidArgumentError } from "commander";
import type { AgentRun } from "../../model/run.ts";

/** The part of one process, if several processes divide the runs of the same input. */
export interface Shard {
  /** Number of the shard, from 1. */
  readonly index: number;
  readonly count: number;
}

const MOST_SHARDS = 10_000;

/**
 * Parses a shard such as `"2/3"`.
 * @throws InvalidArgumentError for other texts
 */
export function parseShard(text: string): Shard {
  const [, first, second] = /^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? [];
  const index = Number(first);
  const count = Number(second);
  if (!(index >= 1 && index <= count && count <= MOST_SHARDS)) {
    throw new InvalidArgumentError(
      `Write the shard and the number of shards, as in 2/3; at most ${MOST_SHARDS} shards.`,
    );
  }
  return { index, count };
}

/** Whether this shard judges a run. A hash of the trace id decides, so processes need not communicate. */
export function ownsRun({ index, count }: Shard, run: Pick<AgentRun, "traceId">): boolean {
  return hash(run.traceId) % count === index - 1;
}

/** Returns an FNV-1a hash of UTF-16 units, followed by a mixing step, because the ids of some producers differ in only a few digits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
