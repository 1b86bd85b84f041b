import type { CallPrints } from "./call-prints.ts";
import { type Group, groupFragments } from "./group-fragments.ts";
import type { JoinOptions } from "./join-options.ts";
import { Kin } from "./kin.ts";
import type { Seams } from "./seams.ts";
import { SetIndex } from "./set-index.ts";

interface Waiting {
  readonly seams: Seams;
  readonly addedMs: number;
  /** When it was last given out as part of a run, or set apart as a copy; undefined: not yet. */
  doneMs: number | undefined;
  /** Of all that were looked at together when nothing more was due among them. */
  rest: Rest | undefined;
}

/** Till when nothing can be due among some fragments unless one comes that completes a run, or one goes. */
interface Rest {
  untilMs: number;
}

/** The fragments of one service that may belong together: those that wait, and those given out a short while ago. */
export class Shelf {
  readonly #options: JoinOptions;
  readonly #released: CallPrints;
  readonly #kin = new Kin();
  /** In the order added. */
  readonly #all = new Map<Seams, Waiting>();
  readonly #byTrace = new SetIndex<string, Waiting>();
  /** Not done yet, in the order added. */
  readonly #open = new Set<Waiting>();
  /** Done, in the order done. */
  readonly #done = new Set<Waiting>();
  /** Those whose coming may complete a run at once. */
  #closing: Waiting[] = [];

  constructor(options: JoinOptions, released: CallPrints) {
    this.#options = options;
    this.#released = released;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Those that were not given out yet. */
  get waiting(): number {
    return this.#open.size;
  }

  /** Traces of which something waits here; with `released`, also those kept after they were given out. */
  traceIds(released: boolean): string[] {
    const open = released ? this.#all.values() : this.#open;
    return Array.from(open, ({ seams }) => seams.fragment.traceId);
  }

  add(seams: Seams, nowMs: number): void {
    const one: Waiting = { seams, addedMs: nowMs, doneMs: undefined, rest: undefined };
    this.#all.set(seams, one);
    this.#open.add(one);
    this.#byTrace.add(seams.fragment.traceId, one);
    this.#kin.add(seams);
    if (seams.isWhole) this.#closing.push(one);
  }

  /** Forgets what is here of a trace that comes again. */
  removeTrace(traceId: string): void {
    for (const one of this.#byTrace.get(traceId)) this.#remove(one);
  }

  /** Runs that wait for nothing more. */
  due(nowMs: number): Group[] {
    this.#forget(nowMs);
    const groups: Group[] = [];
    const seen = new Set<Seams>();
    for (const { seams } of [...this.#takeClosing(), ...this.#quiet(nowMs)]) {
      if (seen.has(seams) || !this.#all.has(seams)) continue;
      const kin = this.#kin.of(seams);
      for (const one of kin) seen.add(one);
      groups.push(...this.#dueAmong(kin, nowMs));
    }
    return groups;
  }

  #dueAmong(kin: ReadonlySet<Seams>, nowMs: number): Group[] {
    const groups = groupFragments([...kin], this.#released);
    const copies = new Set(kin);
    const rest: Rest = { untilMs: Infinity };
    const waitFor = (members: readonly Waiting[]): void => {
      const last = members.reduce((latest, { addedMs }) => Math.max(latest, addedMs), -Infinity);
      rest.untilMs = Math.min(rest.untilMs, last + this.#options.quietMs);
    };
    const due = groups.filter((group) => {
      for (const seams of group.members) copies.delete(seams);
      const members = group.members.flatMap((seams) => this.#all.get(seams) ?? []);
      if (members.every(({ doneMs }) => doneMs !== undefined)) return false;
      if (!members.every((one) => this.#isQuiet(one, nowMs)) && !isClosed(group)) {
        waitFor(members);
        return false;
      }
      for (const one of members) this.#finish(one, nowMs);
      return true;
    });
    for (const seams of copies) {
      const copy = this.#all.get(seams);
      if (copy === undefined) continue;
      if (this.#isQuiet(copy, nowMs)) this.#finish(copy, nowMs);
      else waitFor([copy]);
    }
    for (const seams of kin) {
      const one = this.#all.get(seams);
      if (one !== undefined) one.rest = rest;
    }
    return due;
  }

  /** Everything that has not been given out yet, as it is. */
  drain(): Group[] {
    const groups = groupFragments([...this.#all.keys()], this.#released);
    const fresh = groups.filter(({ members }) => members.some((seams) => this.#isOpen(seams)));
    for (const one of this.#all.values()) this.#remove(one);
    return fresh;
  }

  /** Gives out the oldest groups until at most `limit` fragments are left. */
  shrink(limit: number): Group[] {
    for (const one of this.#done) this.#remove(one);
    const old = [...this.#open].slice(0, Math.max(0, this.#open.size - limit));
    const groups = groupFragments(
      old.map(({ seams }) => seams),
      this.#released,
    );
    for (const one of old) this.#remove(one);
    return groups;
  }

  #isOpen(seams: Seams): boolean {
    return this.#all.get(seams)?.doneMs === undefined;
  }

  #isQuiet({ addedMs }: Waiting, nowMs: number): boolean {
    return nowMs - addedMs >= this.#options.quietMs;
  }

  #takeClosing(): Waiting[] {
    const closing = this.#closing;
    this.#closing = [];
    return closing;
  }

  /**
   * Those that have waited long enough, and among whose kin something may be due; the first that has not ends the search. A run that grows
   * by one fragment after the other is not put together again for each of them.
   */
  #quiet(nowMs: number): Waiting[] {
    const quiet: Waiting[] = [];
    for (const one of this.#open) {
      if (!this.#isQuiet(one, nowMs)) break;
      if (one.rest === undefined || one.rest.untilMs <= nowMs) quiet.push(one);
    }
    return quiet;
  }

  #finish(one: Waiting, nowMs: number): void {
    one.doneMs = nowMs;
    this.#open.delete(one);
    this.#done.delete(one);
    this.#done.add(one);
  }

  #forget(nowMs: number): void {
    for (const one of this.#done) {
      if (nowMs - (one.doneMs ?? nowMs) < this.#options.lateMs) break;
      this.#remove(one);
    }
  }

  #remove(one: Waiting): void {
    if (one.rest !== undefined) one.rest.untilMs = -Infinity;
    this.#all.delete(one.seams);
    this.#open.delete(one);
    this.#done.delete(one);
    this.#byTrace.delete(one.seams.fragment.traceId, one);
    this.#kin.remove(one.seams);
  }
}

/** A run whose last part is an agent's, and ended with an answer. */
function isClosed({ members }: Group): boolean {
  return members[members.length - 1]?.isWhole === true;
}
