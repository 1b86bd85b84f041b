import type { AgentRun } from "../model/run.ts";
import { memoryOfSpan } from "../otlp/rows/span-view.ts";
import { isExplained } from "../runs/explain/explained.ts";

/** The total memory of runs that wait: for judge models, for the record of their verdicts, or for the end of their conversation. */
export class HeldRuns {
  /** Estimated memory of the runs in bytes. */
  bytes = 0;
  readonly #bytesByRun = new Map<AgentRun, number>();

  add(run: AgentRun): void {
    if (this.#bytesByRun.has(run)) return;
    const bytes = bytesOf(run);
    this.#bytesByRun.set(run, bytes);
    this.bytes += bytes;
  }

  release(run: AgentRun): void {
    this.bytes -= this.#bytesByRun.get(run) ?? 0;
    this.#bytesByRun.delete(run);
  }
}

function bytesOf(run: AgentRun): number {
  let bytes = 0;
  for (const turn of run.turns ?? []) bytes += bytesOf(turn);
  if (isExplained(run)) for (const span of run.spans) bytes += memoryOfSpan(span);
  return bytes;
}
