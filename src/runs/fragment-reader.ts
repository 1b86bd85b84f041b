import type { Adapter } from "../../adapters/adapter-type.ts";
import type { Trace } from "../assemble/trace.ts";
import type { SpanView } from "../model/telemetry/span-view.ts";
import { derivedOnce, remembered } from "../support/structures/bounded-memo.ts";
import { attachRecords } from "./calls/attached-records.ts";
import { markCumulative } from "./calls/cumulative-usage.ts";
import { innermostCalls } from "./calls/innermost.ts";
import { markToolLoops } from "./calls/tool-loops.ts";
import { transcriptCalls } from "./calls/transcript.ts";
import { connect, correctInferred, markLikeCalls } from "./calls/tree.ts";
import { asideCall, isNotified, withoutHousekeeping } from "./continuation/housekeeping.ts";
import { failedAlone, isRun, MOST_ERROR_ONLY_SPANS } from "./continuation/is-run.ts";
import { type AttributeBudget, recordRuns } from "./continuation/record-runs.ts";
import { splitRuns } from "./continuation/split-runs.ts";
import { splitTurns } from "./continuation/split-turns.ts";
import { isTellingName, readSpan } from "./facts/classify.ts";
import { FieldPlans } from "./facts/field-plan.ts";
import { FieldTable } from "./facts/field-table.ts";
import type { SpanFacts } from "./facts/span-facts.ts";
import { TraceValues } from "./facts/trace-values.ts";
import { Fragment } from "./fragment.ts";
import { RecordedPrompts } from "./results/recorded-prompts.ts";
import { ruleIsOn } from "./rules.ts";

/** The default of `assemble.max_age`. */
export const defaultMaxPauseMs = 3_600_000;

/** Compiles the adapters' tables once for a process. Field plans are cached with the compiled tables. */
const plansOf = derivedOnce((adapters: readonly Adapter[]) => new FieldPlans(new FieldTable(adapters)));

/** Splits traces into fragments of runs. A trace can have several fragments, or none. */
export class FragmentReader {
  readonly #plans: FieldPlans;
  readonly #maxPauseMs: number;
  readonly #isTelling: (name: string) => boolean;

  /**
   * The order of adapters decides which attribute takes precedence if several contradict each other.
   * @param maxPauseMs longest pause in ms within a run
   */
  constructor(adapters: readonly Adapter[], maxPauseMs: number = defaultMaxPauseMs) {
    this.#maxPauseMs = maxPauseMs;
    this.#plans = plansOf(adapters);
    this.#isTelling = remembered((name) => isTellingName(name, this.#plans.table), 4096);
  }

  read(trace: Trace): Fragment[] {
    const reading = this.begin(trace);
    let fragments = reading.next(Infinity);
    while (fragments === undefined) fragments = reading.next(Infinity);
    return fragments;
  }

  /** Starts to read a large trace in slices. */
  begin(trace: Trace): FragmentReading {
    const isOther =
      trace.spans.length > MOST_ERROR_ONLY_SPANS && trace.spans.every((span) => this.#isNoAgents(span));
    return new FragmentReading(trace, this.#plans, this.#maxPauseMs, isOther);
  }

  /** Whether no key, scope or name connects the span to an agent. In most systems, this is true of most spans. */
  #isNoAgents(span: SpanView): boolean {
    const plan = this.#plans.of(span);
    return (
      plan.isSilent && plan.dialectsOf(span.scopeName).adapters.length === 0 && !this.#isTelling(span.name)
    );
  }
}

/** A trace that is read in slices. */
export class FragmentReading {
  readonly trace: Trace;
  readonly #isOther: boolean;
  readonly #budget: AttributeBudget = { left: 0 };
  readonly #work: Generator<undefined, Fragment[]>;

  constructor(trace: Trace, plans: FieldPlans, maxPauseMs: number, isOther: boolean) {
    this.trace = trace;
    this.#isOther = isOther;
    this.#work =
      trace.spans.length === 0 && ruleIsOn("record-runs")
        ? fragmentsOfRecords(trace, plans, this.#budget)
        : fragmentsOf(trace, plans, maxPauseMs, this.#budget);
  }

  /**
   * Reads the next slice.
   * @param mostAttributes a slice ends after the span that reaches this number of attributes, or after a pass over all spans
   * @returns the fragments after the last slice; undefined if further slices remain
   */
  next(mostAttributes: number): Fragment[] | undefined {
    if (this.#isOther) return [];
    this.#budget.left = mostAttributes;
    for (;;) {
      const step = this.#work.next();
      if (step.done === true) return step.value;
      if (mostAttributes < Infinity) return undefined;
    }
  }
}

function* fragmentsOfRecords(
  trace: Trace,
  plans: FieldPlans,
  budget: AttributeBudget,
): Generator<undefined, Fragment[]> {
  const session = { traceId: trace.traceId, plans, values: new TraceValues() };
  const runs = yield* recordRuns(trace.uncorrelatedLogs, session, budget);
  return runs.map((run) => new Fragment(trace, run, run.isPromptOnly ? "prompt" : "run", run.prompt));
}

/** Yields after each slice of spans and between groups of passes, because reading a large trace takes long. */
function* fragmentsOf(
  trace: Trace,
  plans: FieldPlans,
  maxPauseMs: number,
  budget: AttributeBudget,
): Generator<undefined, Fragment[]> {
  const values = new TraceValues();
  const all: SpanFacts[] = [];
  for (const span of trace.spans) {
    if (budget.left <= 0) yield;
    all.push(readSpan(span, plans, values));
    budget.left -= span.size + 1;
  }
  yield;
  const nodes = connect(trace, all);
  correctInferred(nodes);
  attachRecords(nodes);
  markLikeCalls(nodes);
  yield;
  const innermost = yield* innermostCalls(nodes);
  yield;
  const calls = withoutHousekeeping(innermost);
  yield;
  const runs = splitRuns(nodes, calls, maxPauseMs);
  yield;
  const fragments: Fragment[] = [];
  const prompts = new RecordedPrompts(trace, all);
  for (const run of runs) {
    let own = run.calls;
    if (own.length === 0) own = transcriptCalls(run.nodes);
    else {
      markCumulative(own, run.nodes);
      markToolLoops(own);
    }
    if (!isRun(run.nodes, own) || isNotified(run)) continue;
    const whole = own === run.calls ? run : { ...run, calls: own };
    for (const turn of splitTurns(whole) ?? [whole])
      fragments.push(new Fragment(trace, turn, "run", prompts.takeFor(turn.calls, turn.root.end)));
  }
  if (fragments.length > 0) return fragments;
  const aside = asideCall(nodes);
  if (aside !== null) return [new Fragment(trace, aside, "aside")];
  const failed = failedAlone(nodes);
  return failed === null
    ? []
    : [new Fragment(trace, { root: failed, nodes, calls: [], isTurn: false }, "error")];
}
