import { SpanKind, type SpanView } from "../model/telemetry/span-view.ts";
import type { Trace } from "../assemble/trace.ts";
import { derivedOnce } from "../support/structures/bounded-memo.ts";
import type { Adapter } from "../../adapters/adapter-type.ts";
import { classify } from "./span/role-of-span.ts";
import { connect, isNone } from "./fragments/connect.ts";
import { createFieldTable } from "./layout/field-table.ts";
import { Fragment } from "./fragments/fragment.ts";
import { SpanNode } from "./span/span-node.ts";
import { isRun } from "./fragments/is-run.ts";
import { parentsFirst } from "./fragments/parents-first.ts";
import { NonAgentFilter } from "./fragments/non-agent-filter.ts";
import { Histories } from "./messages/history.ts";
import { FieldReader } from "./span/span-reading.ts";
import { type RunSpans, splitRuns } from "./fragments/split-runs.ts";
import { defaultMaxPauseMs } from "./stitching/stitch-options.ts";
import { splitTurns } from "./fragments/split-turns.ts";

/** Compiles the adapters' tables, once for all inputs of a process: layouts of keys are compiled with them. */
const readerOf = derivedOnce((adapters: readonly Adapter[]) => new FieldReader(createFieldTable(adapters)));

/** Reads traces into fragments of runs: several where a trace holds several runs, none where it holds none. */
export class FragmentReader {
  readonly #reader: FieldReader;
  readonly #filter: NonAgentFilter;

  readonly #maxPauseMs: number;

  /**
   * The adapters' order decides which attribute is believed where several say the same thing differently.
   * @param maxPauseMs after a longer pause a run does not go on
   */
  constructor(adapters: readonly Adapter[], maxPauseMs: number = defaultMaxPauseMs) {
    this.#maxPauseMs = maxPauseMs;
    this.#reader = readerOf(adapters);
    this.#filter = new NonAgentFilter(this.#reader);
  }

  read(trace: Trace): Fragment[] {
    const reading = this.begin(trace);
    let fragments = reading.next(Infinity);
    while (fragments === undefined) fragments = reading.next(Infinity);
    return fragments;
  }

  /** Begins to read a trace that is too large to be read at once. */
  begin(trace: Trace): FragmentReading {
    return new FragmentReading(trace, this.#reader, this.#filter, this.#maxPauseMs);
  }
}

/** A trace that is being read in slices. */
export class FragmentReading {
  readonly trace: Trace;
  readonly #reader: FieldReader;
  readonly #filter: NonAgentFilter;
  readonly #maxPauseMs: number;
  readonly #nodes: SpanNode[] = [];
  readonly #histories = new Histories();

  constructor(trace: Trace, reader: FieldReader, filter: NonAgentFilter, maxPauseMs: number) {
    this.trace = trace;
    this.#maxPauseMs = maxPauseMs;
    this.#reader = reader;
    this.#filter = filter;
  }

  /**
   * Reads on.
   * @param mostAttributes a slice ends after the span with which it has read so many attributes
   * @returns the fragments when all spans were read, undefined when more are left
   */
  next(mostAttributes: number): Fragment[] | undefined {
    const { spans } = this.trace;
    const nodes = this.#nodes;
    if (nodes.length === 0 && this.#isNoAgents()) return [];
    for (let left = mostAttributes; nodes.length < spans.length;) {
      if (left <= 0) return undefined;
      const span = spans[nodes.length] as SpanView;
      const reading = this.#reader.read(span, this.#histories);
      nodes.push(new SpanNode(reading, classify(reading), this.#reader));
      left -= span.size + 1;
    }
    return fragmentsOf(this.trace, nodes, this.#maxPauseMs);
  }

  #isNoAgents(): boolean {
    const { spans } = this.trace;
    return spans.length > maxErrorOnlySpans && spans.every((span) => this.#filter.holds(span));
  }
}

function fragmentsOf(trace: Trace, all: readonly SpanNode[], maxPauseMs: number): Fragment[] {
  connect(trace, all);
  const nodes = parentsFirst(all.some(isNone) ? all.filter((node) => !isNone(node)) : all);
  const runs = splitRuns(nodes, maxPauseMs).filter(({ nodes: own }) => isRun(own));
  if (runs.length > 0) return runs.flatMap((parts) => turnsOf(trace, parts));
  const failed = failedAlone(nodes);
  return failed === undefined ? [] : [new Fragment(trace, { root: failed, nodes }, true)];
}

function turnsOf(trace: Trace, run: RunSpans): Fragment[] {
  const fragment = new Fragment(trace, run);
  const turns = splitTurns(run, fragment.calls);
  return turns === undefined ? [fragment] : turns.map((turn) => new Fragment(trace, turn));
}

/** Most spans that a trace without any agent may have to be taken for one that failed before its agent began. */
const maxErrorOnlySpans = 3;

/** An application's own span, ended by a failure, and nothing about agents: a guardrail may have stopped it. */
function failedAlone(nodes: readonly SpanNode[]): SpanNode | undefined {
  const [root] = nodes;
  if (root === undefined || nodes.length > maxErrorOnlySpans || root.parent !== undefined) return undefined;
  const isOwnWork = nodes.every(({ span, role }) => span.kind <= SpanKind.internal && role === "unknown");
  return isOwnWork && root.failure !== null ? root : undefined;
}
