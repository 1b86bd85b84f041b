import { verdictId } from "../evaluate/verdict.ts";
import type { AgentRun } from "../model/run.ts";
import type { CompiledQuery, CompiledSpec } from "../spec/compiled.ts";

const REMEMBERED = 100_000;

/**
 * Numbers the revisions of each verdict from 1: a run that late spans changed gets the same verdict id and the next number. Remembers a
 * bounded number of ids; the late window ends long before they are forgotten.
 */
export class Revisions {
  readonly #last = new Map<string, number>();

  next(run: AgentRun, spec: CompiledSpec, query: CompiledQuery): number {
    const id = verdictId(run, spec, query);
    const revision = (this.#last.get(id) ?? 0) + 1;
    this.resume(id, revision);
    return revision;
  }

  /** The last revision of a verdict that was given before, 0 for none. */
  resume(verdictId: string, revision: number): void {
    this.#last.delete(verdictId);
    this.#last.set(verdictId, revision);
    for (const oldest of this.#last.keys()) {
      if (this.#last.size <= REMEMBERED) break;
      this.#last.delete(oldest);
    }
  }
}
