import { HeldRuns } from "../held-runs.ts";
import { Multiset } from "../../support/structures/multiset.ts";
import type { AgentRun } from "../../model/run.ts";
import { faultOf } from "../../model/fault.ts";
import { faultyRun, type OnFault, runFault } from "../faults/faulty-run.ts";
import { conversationRun, type Cut } from "./conversation-run.ts";

export interface ConversationRules {
  /** A conversation has ended after this time in milliseconds without a run. A later run begins a new conversation. */
  readonly idleMs: number;
  /** Time in milliseconds for which an ended conversation is retained, because a run may arrive late or change. */
  readonly keptMs: number;
  /** Maximum number of retained runs. Above this number, the conversation without a run for the longest time is released. */
  readonly mostRuns: number;
}

interface Open {
  readonly runs: Map<string, AgentRun>;
  /** Arrival time of the last run. */
  lastMs: number;
  /** Whether runs have arrived since the conversation was last emitted. */
  changed: boolean;
  /** Runs of each emitted conversation, by the id of its first run. */
  readonly emitted: Map<string, readonly AgentRun[]>;
}

/**
 * Groups runs into conversations by service and conversation or session id; a run without such an id is grouped by its trace. A pause
 * longer than `idleMs` separates two conversations. This is the same in a replay and in the live collector.
 */
export class Conversations {
  readonly #rules: ConversationRules;
  readonly #onFault: OnFault;
  /** Open conversations, ordered by the arrival of their last run. */
  readonly #open = new Map<string, Open>();
  readonly #traces = new Multiset<string>();
  readonly #memory = new HeldRuns();
  #held = 0;

  /**
   * @param onFault reports an exception that assembling a conversation threw; the conversation's verdicts are then errors. Without it, the
   * exception is thrown
   */
  constructor(
    rules: ConversationRules,
    onFault: OnFault = ({ error }) => {
      throw error;
    },
  ) {
    this.#rules = rules;
    this.#onFault = onFault;
  }

  /**
   * Adds a run, or a newer revision of a run. Returns the conversations that must be evaluated now to free memory, because too many runs
   * are retained.
   */
  add(run: AgentRun, nowMs: number): readonly AgentRun[] {
    const [key, { runId, traceIds }] = [keyOf(run), run]; // Reads the run before any state changes, because reading may throw.
    const open = this.#open.get(key) ?? fresh();
    this.#open.delete(key);
    this.#open.set(key, open);
    for (const id of run.replaces ?? [runId])
      this.#remove(id, run.replaces === undefined ? [open] : this.#open.values());
    this.#held++;
    this.#memory.add(run);
    open.runs.set(runId, run);
    for (const id of traceIds) this.#traces.add(id);
    open.lastMs = nowMs;
    open.changed = true;
    return this.#makeRoom(
      () => this.#held <= this.#rules.mostRuns,
      "the conversation was evaluated early, because too many runs of open conversations were in memory",
    );
  }

  /** Estimated memory in bytes of the retained runs. */
  get heldBytes(): number {
    return this.#memory.bytes;
  }

  /**
   * Frees memory: releases up to `most` conversations, those without a run for the longest time first, until at most `targetBytes` are
   * used. Returns the conversations that must be evaluated now.
   */
  evict(targetBytes: number, most: number): readonly AgentRun[] {
    let released = 0;
    return this.#makeRoom(
      () => this.heldBytes <= targetBytes || released++ >= most,
      "the conversation was evaluated early, because memory was short (limits.memory)",
    );
  }

  /**
   * Returns the conversations that have ended (`idleMs`), each as one run. If a returned conversation changes later, a later call returns
   * it again.
   */
  due(nowMs: number): readonly AgentRun[] {
    const { idleMs, keptMs } = this.#rules;
    const due: AgentRun[] = [];
    for (const [key, open] of this.#open) {
      const quiet = nowMs - open.lastMs;
      if (quiet < idleMs) break;
      if (open.changed) due.push(...this.#emit(open));
      if (quiet >= idleMs + keptMs) this.#forget(key, open);
    }
    return due;
  }

  /** Whether a run of the trace is in an open conversation, or in an emitted conversation that is still retained. */
  isOpen(traceId: string): boolean {
    return this.#traces.has(traceId);
  }

  /** Forgets all conversations that have not changed since they were emitted. */
  forgetReleased(): void {
    for (const [key, open] of this.#open) if (!open.changed) this.#forget(key, open);
  }

  /** Returns all conversations that were never emitted, or have changed since they were emitted. */
  drain(): readonly AgentRun[] {
    const left = [...this.#open.values()].filter(({ changed }) => changed);
    const runs = left.flatMap((open) => this.#emit(open));
    for (const [key, open] of this.#open) this.#forget(key, open);
    return runs;
  }

  /**
   * Releases conversations, those without a run for the longest time first, until `isEnough` returns true. Returns the released
   * conversations that were not emitted yet.
   */
  #makeRoom(isEnough: () => boolean, why: string): readonly AgentRun[] {
    const gone: AgentRun[] = [];
    for (const [key, open] of this.#open) {
      if (isEnough()) break;
      if (open.changed) gone.push(...this.#emit(open, { why }));
      this.#forget(key, open);
    }
    return gone;
  }

  /** Converts a conversation into runs. An exception affects only this conversation: its verdicts then are errors. */
  #emit(open: Open, cut?: Cut): readonly AgentRun[] {
    open.changed = false;
    try {
      return this.#parted(open, cut);
    } catch (error) {
      return [...open.runs.values()].slice(0, 1).map((first) => {
        this.#onFault(runFault("stitch", error, first));
        return { ...faultyRun(first, faultOf("stitch", error)), turns: [] };
      });
    }
  }

  #parted(open: Open, cut: Cut | undefined): readonly AgentRun[] {
    const parted = partedBy([...open.runs.values()], this.#rules.idleMs);
    return parted.flatMap((runs, at) => {
      const first = runs[0]?.runId ?? "";
      const before = open.emitted.get(first);
      if (before !== undefined && same(before, runs)) return [];
      open.emitted.set(first, runs);
      return [at === parted.length - 1 ? conversationRun(runs, cut) : conversationRun(runs)];
    });
  }

  /**
   * Removes an earlier version of a run from these conversations. The run may now belong elsewhere: late spans can change its conversation
   * id, or join it with another run.
   */
  #remove(runId: string, conversations: Iterable<Open>): void {
    for (const one of conversations) {
      const before = one.runs.get(runId);
      if (before === undefined) continue;
      one.runs.delete(runId);
      one.changed = true;
      this.#held--;
      this.#removed(before);
    }
  }

  #forget(key: string, open: Open): void {
    this.#open.delete(key);
    this.#held -= open.runs.size;
    for (const run of open.runs.values()) this.#removed(run);
  }

  #removed(run: AgentRun): void {
    this.#memory.release(run);
    for (const id of run.traceIds) this.#traces.remove(id);
  }
}

function fresh(): Open {
  return { runs: new Map(), lastMs: 0, changed: false, emitted: new Map() };
}

function keyOf({ service, conversationId, traceId }: AgentRun): string {
  return conversationId === null ? `trace ${traceId}` : `${service ?? ""}\u0000${conversationId}`;
}

function partedBy(runs: readonly AgentRun[], idleMs: number): readonly (readonly AgentRun[])[] {
  const parted: AgentRun[][] = [];
  let end = -Infinity;
  for (const run of [...runs].sort(inOrder)) {
    const last = parted.at(-1);
    if (last === undefined || run.startUnixMs - end > idleMs) parted.push([run]);
    else last.push(run);
    end = Math.max(end, run.startUnixMs + run.durationMs);
  }
  return parted;
}

function inOrder(a: AgentRun, b: AgentRun): number {
  return a.startUnixMs - b.startUnixMs || (a.runId < b.runId ? -1 : a.runId > b.runId ? 1 : 0);
}

function same(a: readonly AgentRun[], b: readonly AgentRun[]): boolean {
  return a.length === b.length && a.every((run, at) => run === b[at]);
}
