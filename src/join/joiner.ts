import type { Fragment } from "../adapt/fragment.ts";
import type { AgentRun, CloseReason } from "../model/run.ts";
import { AssembledRun } from "./assembled-run.ts";
import { Evidence } from "./evidence.ts";
import { type Group, groupFragments } from "./group-fragments.ts";
import type { JoinOptions } from "./join-options.ts";
import { defaultAttributes } from "./run-attributes.ts";
import { Seams } from "./seams.ts";

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
    const byService = new Map<string | null, Seams[]>();
    for (const fragment of this.#pending) {
      const list = byService.get(fragment.service) ?? [];
      list.push(new Seams(fragment));
      byService.set(fragment.service, list);
    }
    this.#pending = [];
    return [...byService.values()].flatMap(groupFragments).map((group) => this.#run(group, closeReason));
  }

  #run({ members, copies }: Group, closeReason: CloseReason | undefined): AgentRun {
    const [first, ...rest] = members;
    const fragments: [Fragment, ...Fragment[]] = [first.fragment, ...rest.map(({ fragment }) => fragment)];
    const last = fragments[fragments.length - 1];
    const reason = closeReason ?? last?.closeReason ?? first.fragment.closeReason;
    return new AssembledRun(new Evidence(fragments, copies), this.#options, reason);
  }
}
