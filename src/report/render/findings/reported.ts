import type { Comparison } from "../../baseline/compare.ts";
import type { Unjudged, Verdict } from "../../../model/verdict.ts";
import { verdictJsonText } from "../../json/verdict-json.ts";
import type { VerdictJson } from "../../json/verdict-schema.ts";

/** Sort key in a report: start of the run, then trace id, then span id. */
export interface Place {
  readonly startUnixMs: number;
  readonly traceId: string;
  readonly spanId: string;
}

/** Report data of one verdict without a reference to the run, so that telemetry can be released. */
export interface ReportedVerdict {
  readonly place: Place;
  readonly verdict: VerdictJson;
  /** The verdict as JSON text, if available. */
  readonly verdictText?: string;
  /** Names of the used tools in order, null for an unknown name; null for a verdict from a saved result. */
  readonly tools: readonly (string | null)[] | null;
  /** Targets of the hand-offs, in order. */
  readonly handoffs: readonly string[];
  /** Beginning of the answer; null if it was not captured. */
  readonly answer: string | null;
  /** Model and tool calls in time order, limited in number; null if no times are known. */
  readonly steps: readonly ReportedStep[] | null;
  /** Difference from the saved run; null if there is no saved run. */
  readonly compared: ComparedRun | null;
}

/** One call on the run's timeline. */
export interface ReportedStep {
  readonly kind: "model" | "tool";
  readonly name: string | null;
  /** Milliseconds since the run's start. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly failed: boolean;
}

/** Comparison of a run with the saved run of its query. */
export interface ComparedRun extends Omit<Comparison, "improved"> {
  readonly version: string;
  readonly variant: number;
}

export interface ReportedRun {
  readonly place: Place;
  readonly traceId: string;
  readonly runId: string;
  readonly query: string | null;
  readonly spec: string;
  readonly reason: string;
  /** Ids of the queries that match the run; empty if none does. */
  readonly candidates: readonly string[];
  /** Name of the run's agent if the spec is about another one; null: the run names no agent. */
  readonly otherAgent?: string | null;
}

const LONGEST_ANSWER = 400;

export function reportVerdict(verdict: Verdict, compared: ComparedRun | null = null): ReportedVerdict {
  const { run, verdictId: id } = verdict;
  const head: VerdictHead = {
    place: placeOf(run),
    id,
    decided: { spec: verdict.spec, query_id: verdict.queryId, outcome: verdict.outcome },
    tools: run.tools.filter((call) => call.executed !== false).map((call) => call.name),
    handoffs: run.handoffs.map(({ to }) => to),
    answer: run.answer === null ? null : run.answer.slice(0, LONGEST_ANSWER),
    steps: stepsOf(run),
    compared,
  };
  return new HeldVerdict(head, verdictJsonText(verdict));
}

/** Data of a verdict for every report. */
export interface VerdictHead extends Omit<ReportedVerdict, "verdict" | "verdictText"> {
  readonly id: string;
  readonly decided: Decided;
}

/** The verdict fields that counts need. */
export type Decided = Pick<VerdictJson, "spec" | "query_id" | "outcome">;

/** A verdict as text, which is parsed only when a report needs the object; the JSON format never does. */
export class HeldVerdict implements ReportedVerdict, VerdictHead {
  readonly id: string;
  readonly decided: Decided;
  readonly place: Place;
  readonly tools: ReportedVerdict["tools"];
  readonly handoffs: ReportedVerdict["handoffs"];
  readonly answer: string | null;
  readonly steps: ReportedVerdict["steps"];
  readonly compared: ComparedRun | null;
  readonly verdictText: string;
  #verdict: VerdictJson | undefined;

  constructor(head: VerdictHead, verdictText: string) {
    const { id, decided, place, tools, handoffs, answer, steps, compared } = head;
    this.id = id;
    this.decided = decided;
    this.place = place;
    this.tools = tools;
    this.handoffs = handoffs;
    this.answer = answer;
    this.steps = steps;
    this.compared = compared;
    this.verdictText = verdictText;
  }

  get verdict(): VerdictJson {
    return (this.#verdict ??= JSON.parse(this.verdictText) as VerdictJson);
  }

  toJSON(): ReportedVerdict {
    const { place, verdict, tools, handoffs, answer, steps, compared } = this;
    return { place, verdict, tools, handoffs, answer, steps, compared };
  }
}

const MOST_STEPS = 60;

function stepsOf(run: Verdict["run"]): readonly ReportedStep[] | null {
  const steps = [
    ...run.llm.map((call) => ({ kind: "model" as const, name: call.model ?? call.responseModel, call })),
    ...run.tools
      .filter(({ executed }) => executed !== false)
      .map((call) => ({ kind: "tool" as const, name: call.name, call })),
  ].flatMap(({ kind, name, call: { startUnixMs, durationMs, error } }) => {
    if (startUnixMs === null || durationMs === null) return [];
    return [{ kind, name, startMs: startUnixMs - run.startUnixMs, durationMs, failed: error !== null }];
  });
  if (steps.length === 0) return null;
  return steps.sort((a, b) => a.startMs - b.startMs).slice(0, MOST_STEPS);
}

export function reportUnjudged({ run, spec, reason, candidates, isOfOtherAgent }: Unjudged): ReportedRun {
  const { traceId, runId, query } = run;
  const other = isOfOtherAgent === true ? { otherAgent: run.agent ?? run.service } : {};
  return { place: placeOf(run), traceId, runId, query, spec, reason, candidates, ...other };
}

function placeOf(run: Verdict["run"]): Place {
  return { startUnixMs: run.startUnixMs, traceId: run.traceId, spanId: run.rootSpanId };
}

/** Compares two findings in the order of reports. */
export function byPlace(a: Place, b: Place): number {
  return a.startUnixMs - b.startUnixMs || compare(a.traceId, b.traceId) || compare(a.spanId, b.spanId);
}

export function verdictOrder(a: ReportedVerdict, b: ReportedVerdict): number {
  return byPlace(a.place, b.place) || compare(verdictIdOf(a), verdictIdOf(b));
}

export function verdictIdOf(reported: ReportedVerdict): string {
  return reported instanceof HeldVerdict ? reported.id : reported.verdict.verdict_id;
}

/** Returns the verdict's fields for counts. The text of a `HeldVerdict` is not parsed. */
export function decidedOf(reported: ReportedVerdict): Decided {
  return reported instanceof HeldVerdict ? reported.decided : reported.verdict;
}

export function runOrder(a: ReportedRun, b: ReportedRun): number {
  return byPlace(a.place, b.place) || compare(a.spec, b.spec);
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
