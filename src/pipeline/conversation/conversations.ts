import { Multiset } from "../../support/structures/multiset.ts";
import type { AgentRun } from "../../model/run.ts";
import { faultOf } from "../../model/fault.ts";
import { faultyRun, runFault } from "../faults/faulty-run.ts";
import type { OnFault } from "../faults/trace-fault.ts";
import { conversationRun } from "./conversation-run.ts";

export interface ConversationRules {
  /** A conversation ends after this long without a run; a later run begins a new one. */
  readonly idleMs: number;
  /** How long a judged conversation is retained for late or changed runs. */
  readonly keptMs: number;
  /** Most runs held in all; the conversation that is quiet for longest is released first. */
  readonly mostRuns: number;
}

interface Open {
  readonly runs: Map<string, AgentRun>;
  /** When the last run came. */
  lastMs: number;
  /** Since it was last emitted, something came. */
  changed: boolean;
  /** The runs of each conversation that was emitted, by the id of the first. */
  readonly emitted: Map<string, readonly AgentRun[]>;
}

/**
 * Groups runs into conversations: runs of one service with the same conversation or session id, otherwise runs of one trace. A pause longer
 * than `idleMs` between runs separates conversations, so that live and replayed telemetry give the same result. The caller passes the time.
 */
export class Conversations {
  readonly #rules: ConversationRules;
  readonly #onFault: OnFault;
  /** The one that is quiet for longest first. */
  readonly #open = new Map<string, Open>();
  readonly #traces = new Multiset<string>();
  #held = 0;

  /** @param onFault gets what threw while a conversation was put together; its verdicts are errors */
  constructor(
    rules: ConversationRules,
    onFault: OnFault = ({ error }) => {
      throw error;
    },
  ) {
    this.#rules = rules;
    this.#onFault = onFault;
  }

  /** Takes a run, or a later reading of it. Gives what had to go for it. */
  add(run: AgentRun, nowMs: number): readonly AgentRun[] {
    const [key, { runId, traceIds }] = [keyOf(run), run]; // read before anything changes: reading may throw
    const open = this.#open.get(key) ?? fresh();
    this.#open.delete(key);
    this.#open.set(key, open);
    for (const id of run.replaces ?? [runId])
      this.#remove(id, run.replaces === undefined ? [open] : this.#open.values());
    this.#held++;
    open.runs.set(runId, run);
    for (const id of traceIds) this.#traces.add(id);
    open.lastMs = nowMs;
    open.changed = true;
    return this.#makeRoom();
  }

  /** Conversations that nothing was added to for long enough, as runs; again those that changed since. */
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

  /** Whether runs of the trace wait here, or are retained after their conversation was emitted. */
  isOpen(traceId: string): boolean {
    return this.#traces.has(traceId);
  }

  /** Forgets conversations that are retained after they were emitted. */
  forgetReleased(): void {
    for (const [key, open] of this.#open) if (!open.changed) this.#forget(key, open);
  }

  /** All that have not been given yet. */
  drain(): readonly AgentRun[] {
    const left = [...this.#open.values()].filter(({ changed }) => changed);
    const runs = left.flatMap((open) => this.#emit(open));
    for (const [key, open] of this.#open) this.#forget(key, open);
    return runs;
  }

  #makeRoom(): readonly AgentRun[] {
    const gone: AgentRun[] = [];
    for (const [key, open] of this.#open) {
      if (this.#held <= this.#rules.mostRuns) break;
      if (open.changed) gone.push(...this.#emit(open, true));
      this.#forget(key, open);
    }
    return gone;
  }

  /** An exception affects only its conversation, whose verdicts are errors. */
  #emit(open: Open, cut = false): readonly AgentRun[] {
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

  #parted(open: Open, cut: boolean): readonly AgentRun[] {
    const parted = partedBy([...open.runs.values()], this.#rules.idleMs);
    return parted.flatMap((runs, at) => {
      const first = runs[0]?.runId ?? "";
      const before = open.emitted.get(first);
      if (before !== undefined && same(before, runs)) return [];
      open.emitted.set(first, runs);
      const cutOff = cut && at === parted.length - 1;
      const why = "the limit of open runs was reached";
      return [cutOff ? conversationRun(runs, { why }) : conversationRun(runs)];
    });
  }

  /** Late spans can bring the id of the conversation: then the run was in another one before. */
  #remove(runId: string, conversations: Iterable<Open>): void {
    for (const one of conversations) {
      const before = one.runs.get(runId);
      if (before === undefined) continue;
      one.runs.delete(runId);
      one.changed = true;
      this.#held--;
      this.#removeTraces(before);
    }
  }

  #forget(key: string, open: Open): void {
    this.#open.delete(key);
    this.#held -= open.runs.size;
    for (const run of open.runs.values()) this.#removeTraces(run);
  }

  #removeTraces({ traceIds }: AgentRun): void {
    for (const id of traceIds) this.#traces.remove(id);
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
