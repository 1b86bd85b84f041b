import { AlikeNames } from "../text/alike-names.ts";
import { canonicalArguments } from "../text/canonical-arguments.ts";
import { FirstAtLeast } from "../search/first-at-least.ts";
import { SetIndex } from "../search/set-index.ts";
import type { ToolExecution } from "./tool-executions.ts";
import type { ToolUse } from "./tool-use.ts";
import { TraceExtreme } from "./trace-extreme.ts";

/** Where a use stands among all: those that no model call requested stand before the first that came later. */
interface Standing {
  readonly use: ToolUse;
  readonly place: number;
  readonly isAsked: boolean;
  readonly number: number;
}

interface Entry {
  readonly standing: Standing;
  readonly span: ToolExecution;
}

/** Spans of one name and the same arguments, by the standing of their uses. */
interface Alike {
  readonly entries: Entry[];
  /** Without result and error. */
  readonly stopped: Entry[];
  /** Start of the latest span, and of the earliest that stopped: most spans are excluded by these two numbers, without a search. */
  readonly latest: TraceExtreme;
  readonly earliestStopped: TraceExtreme;
}

/**
 * Finds the use that a span of another trace goes on with: an execution that stopped without a result, and the same again later, since a
 * person had to agree; or one of the same id. Of several that fit, the first.
 */
export class ResumedUses {
  readonly #add: (use: ToolUse, span: ToolExecution) => void;
  readonly #later: FirstAtLeast;
  readonly #standings = new Map<ToolUse, Standing>();
  readonly #byArguments = new Map<string, Named>();
  readonly #byId = new SetIndex<string, Standing>();

  constructor(uses: readonly ToolUse[], add: (use: ToolUse, span: ToolExecution) => void) {
    this.#add = add;
    this.#later = new FirstAtLeast(uses.map(({ at }) => at));
    for (const [place, use] of uses.entries())
      this.#standings.set(use, { use, place, isAsked: true, number: place });
    for (const use of uses) for (const span of use.executions) this.note(use, span);
  }

  /** Gives a span to the use that it goes on with, or that it was the beginning of; false when there is none. */
  resume(span: ToolExecution): boolean {
    return this.#give(span, this.#waiting(span));
  }

  /** The uses of several spans that no model call requested, in the order in which they were found. */
  unrequestedUses(spans: readonly ToolExecution[]): ToolUse[] {
    const alone: ToolUse[] = [];
    for (const span of spans) {
      if (this.#give(span, this.#waiting(span) ?? this.#sameId(span))) continue;
      const at = span.nodes[0].start;
      const use: ToolUse = { requested: undefined, executions: [span], at };
      const place = this.#later.placeAbove(at);
      this.#standings.set(use, { use, place, isAsked: false, number: alone.push(use) });
      this.note(use, span);
    }
    return alone;
  }

  #give(span: ToolExecution, standing: Standing | undefined): boolean {
    if (standing === undefined) return false;
    this.#add(standing.use, span);
    this.note(standing.use, span);
    return true;
  }

  /** A span was added to a use. */
  note(use: ToolUse, span: ToolExecution): void {
    const standing = this.#standings.get(use);
    if (standing === undefined) return;
    if (span.callId !== undefined) this.#byId.add(span.callId, standing);
    // A span without a name is like none.
    if (span.name === undefined) return;
    const alike = this.#alike(canonicalArguments(span.arguments), span.name);
    const entry = { standing, span };
    insert(alike.entries, entry);
    const [{ start }] = span.nodes;
    alike.latest.add(-start, traceOf(span));
    if (!isStopped(span)) return;
    insert(alike.stopped, entry);
    alike.earliestStopped.add(start, traceOf(span));
  }

  #alike(args: string, name: string): Alike {
    let named = this.#byArguments.get(args);
    if (named === undefined)
      this.#byArguments.set(args, (named = { names: new AlikeNames(), byName: new Map() }));
    let alike = named.byName.get(name);
    if (alike === undefined) {
      const [latest, earliestStopped] = [new TraceExtreme(), new TraceExtreme()];
      alike = { entries: [], stopped: [], latest, earliestStopped };
      named.byName.set(name, alike);
      named.names.add(name);
    }
    return alike;
  }

  #waiting(span: ToolExecution): Standing | undefined {
    const named =
      span.name === undefined ? undefined : this.#byArguments.get(canonicalArguments(span.arguments));
    if (named === undefined || span.name === undefined) return undefined;
    const wanted = isStopped(span) ? "entries" : "stopped";
    let first: Standing | undefined;
    for (const name of named.names.to(span.name)) {
      const alike = named.byName.get(name);
      if (alike === undefined || !mayFit(alike, span)) continue;
      const found = alike[wanted].find((one) => resumes(one.span, span) || resumes(span, one.span));
      if (found !== undefined && (first === undefined || compare(found.standing, first) < 0))
        first = found.standing;
    }
    return first;
  }

  #sameId({ callId }: ToolExecution): Standing | undefined {
    let first: Standing | undefined;
    for (const one of callId === undefined ? [] : this.#byId.get(callId)) {
      const isFirst = first === undefined || compare(one, first) < 0;
      if (isFirst && one.use.executions[0]?.callId === callId) first = one;
    }
    return first;
  }
}

/** Whether any of them resumes the span, or is resumed by it. */
function mayFit({ latest, earliestStopped }: Alike, span: ToolExecution): boolean {
  const [{ start }] = span.nodes;
  const trace = traceOf(span);
  return earliestStopped.besides(trace) < start || (isStopped(span) && -latest.besides(trace) > start);
}

interface Named {
  readonly names: AlikeNames;
  readonly byName: Map<string, Alike>;
}

function insert(entries: Entry[], entry: Entry): void {
  let at = entries.length;
  while (at > 0 && compare((entries[at - 1] as Entry).standing, entry.standing) > 0) at--;
  entries.splice(at, 0, entry);
}

function compare(a: Standing, b: Standing): number {
  if (a.place !== b.place) return a.place - b.place;
  if (a.isAsked !== b.isAsked) return a.isAsked ? 1 : -1;
  return a.use.at - b.use.at || a.number - b.number;
}

/** An execution that stopped without a result, and the same again in a later trace. Names and arguments are alike. */
function resumes(earlier: ToolExecution, later: ToolExecution): boolean {
  return (
    isStopped(earlier) && earlier.nodes[0].start < later.nodes[0].start && traceOf(earlier) !== traceOf(later)
  );
}

function isStopped({ result, error }: ToolExecution): boolean {
  return result === undefined && error === null;
}

function traceOf({ nodes: [node] }: ToolExecution): string {
  return node.span.traceId;
}
