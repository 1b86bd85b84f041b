import { sha256 } from "../../../support/structures/sha256.ts";

/** Whether a run belongs to the given share of all runs. The same run is always answered the same, live or replayed. */
export function sampled(runId: string, share: number): boolean {
  return Number.parseInt(sha256(`ensemble ${runId}`).slice(0, 12), 16) / 2 ** 48 < share;
}
