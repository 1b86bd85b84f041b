import type { Comparison } from "../../baseline/compare.ts";
import type { Unjudged, Verdict } from "../../../model/verdict.ts";
import { verdictJsonText } from "../../json/verdict-json.ts";
import type { VerdictJson } from "../../json/verdict-schema.ts";

/** Position of a run in the order of a report: by start, then trace id, then span id. */
export interface Place {
  readonly startUnixMs: number;
  readonly traceId: string;
  readonly spanId: string;
}

/**
 * Data of one verdict for reports. The data do not reference the run, so that the memory of its telemetry can
 * be freed.
 */
export interface ReportedVerdict {
  readonly place: Place;
  readonly verdict: VerdictJson;
  /** JSON text of the verdict, if already known. `id` and `decided` are then set, so that they can be read without parsing the text. */
  readonly verdictText?: string;
  readonly id?: string;
  readonly decided?: Decided;
  /**
   * Names of the called tools in order; null for an unknown name. The list is null for a verdict that was
   * loaded from a saved result.
   */
  readonly tools: readonly (string | null)[] | null;
  readonly handoffs: readonly string[];
  /** Beginning of the answer; null if the telemetry lacks the answer. */
  readonly answer: string | null;
  /** The first model and tool calls in time order; null if the times are unknown. */
  readonly steps: readonly ReportedStep[] | null;
  /** Comparison with the saved run of the query; null without a saved run. */
  readonly compared: ComparedRun | null;
}

/** A model or tool call on the timeline of a run. */
export interface ReportedStep {
  readonly kind: "model" | "tool";
  readonly name: string | null;
  /** Start in milliseconds after the start of the run. */
  readonly startMs: number;
  readonly durationMs: number;
  readonly failed: boolean;
}

/** Comparison of a run with the most similar saved run of the same query. */
export interface ComparedRun extends Omit<Comparison, "improved" | "lost"> {
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
  /** Ids of the queries that match the run; empty if no query matches. */
  readonly candidates: readonly string[];
  /** Agent of the run, otherwise its service, if the spec is about another agent. Null if the run names neither. */
  readonly otherAgent?: string | null;
}

const LONGEST_ANSWER = 400;

export function reportVerdict(verdict: Verdict, compared: ComparedRun | null = null): ReportedVerdict {
  const { run, verdictId: id } = verdict;
  return heldVerdict(
    {
      place: placeOf(run),
      id,
      decided: { spec: verdict.spec, query_id: verdict.queryId, outcome: verdict.outcome },
      tools: run.tools.filter((call) => call.executed !== false).map((call) => call.name),
      handoffs: run.handoffs.map(({ to }) => to),
      answer: run.answer === null ? null : run.answer.slice(0, LONGEST_ANSWER),
      steps: stepsOf(run),
      compared,
    },
    verdictJsonText(verdict),
  );
}

/** Report data of a verdict without the verdict's JSON. */
export type VerdictHead = Required<Omit<ReportedVerdict, "verdict" | "verdictText">>;

/** The fields of a verdict that are needed to count verdicts. */
export type Decided = Pick<VerdictJson, "spec" | "query_id" | "outcome">;

/**
 * Returns the report data of a verdict that is kept as JSON text, and parsed when `verdict` is first read. The
 * JSON report writes the text without parsing.
 */
export function heldVerdict(head: VerdictHead, verdictText: string): ReportedVerdict {
  let verdict: VerdictJson | undefined;
  return {
    ...head,
    verdictText,
    get verdict() {
      return (verdict ??= JSON.parse(verdictText) as VerdictJson);
    },
  };
}

/** Returns the report data without the verdict. */
export function factsOf({ place, tools, handoffs, answer, steps, compared }: ReportedVerdict) {
  return { place, tools, handoffs, answer, steps, compared };
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

export function byPlace(a: Place, b: Place): number {
  return a.startUnixMs - b.startUnixMs || compare(a.traceId, b.traceId) || compare(a.spanId, b.spanId);
}

export function verdictOrder(a: ReportedVerdict, b: ReportedVerdict): number {
  return byPlace(a.place, b.place) || compare(verdictIdOf(a), verdictIdOf(b));
}

export function verdictIdOf(reported: ReportedVerdict): string {
  return reported.id ?? reported.verdict.verdict_id;
}

/** Returns the fields for counting verdicts, without parsing the JSON text of the verdict. */
export function decidedOf(reported: ReportedVerdict): Decided {
  return reported.decided ?? reported.verdict;
}

export function runOrder(a: ReportedRun, b: ReportedRun): number {
  return byPlace(a.place, b.place) || compare(a.spec, b.spec);
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
