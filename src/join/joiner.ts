import type { Fragment } from "../adapt/fragment.ts";
import type { AgentRun, CloseReason } from "../model/run.ts";
import { AssembledRun } from "./assembled-run.ts";
import { Evidence } from "./evidence.ts";
import type { JoinOptions } from "./join-options.ts";
import { defaultAttributes } from "./run-attributes.ts";

const defaults: JoinOptions = {
  attributes: defaultAttributes,
  quietMs: 10_000,
  lateMs: 120_000,
  maxFragments: 20_000,
};

/** Puts together the fragments of runs that are spread over several traces. */
export class Joiner {
  readonly #options: JoinOptions;
  #pending: Fragment[] = [];

  constructor(options: Partial<JoinOptions> = {}) {
    this.#options = { ...defaults, ...options };
  }

  add(fragments: readonly Fragment[], nowMs: number): void {
    void nowMs;
    this.#pending.push(...fragments);
  }

  release(nowMs: number): AgentRun[] {
    void nowMs;
    return this.drain();
  }

  drain(closeReason?: CloseReason): AgentRun[] {
    const runs = this.#pending.map(
      (fragment) =>
        new AssembledRun(new Evidence([fragment]), this.#options, closeReason ?? fragment.closeReason),
    );
    this.#pending = [];
    return runs;
  }
}
