import type { Layer, Outcome } from "../model/outcome.ts";
import type { ChangeRecords } from "./recorded-changes.ts";

/** Filter for verdicts. Undefined fields do not restrict the result. */
export interface VerdictFilter {
  readonly outcome?: Outcome;
  readonly agent?: string;
  readonly query?: string;
  readonly spec?: string;
  /** Id of one of the run's traces. */
  readonly trace?: string;
  readonly run?: string;
  /** Text to find, case-insensitive. Searches the first 1,000 characters of the run's query and answer, joined in this order. */
  readonly text?: string;
  /** Earliest time of the evaluation, in Unix milliseconds. */
  readonly since?: number;
  /** End of the evaluation times (exclusive), in Unix milliseconds. */
  readonly until?: number;
}

/** A stored verdict: its JSON, and the fields for which lists need no JSON. */
export interface StoredVerdict {
  readonly verdictId: string;
  readonly revision: number;
  readonly outcome: Outcome;
  readonly agent: string | null;
  readonly queryId: string;
  readonly spec: string;
  readonly runId: string;
  readonly traceIds: readonly string[];
  readonly judgedUnixMs: number;
  /** The verdict as JSON text. */
  readonly json: string;
}

/** A verdict with its number in the store. A verdict that is stored later has a greater number. */
export interface NumberedVerdict extends StoredVerdict {
  readonly number: number;
}

export interface VerdictPage {
  /** Verdicts, newest first. */
  readonly verdicts: readonly StoredVerdict[];
  /** Cursor of the next page; null on the last page. */
  readonly next: string | null;
}

/** Read access of the API to stored verdicts and runs. */
export interface VerdictStore {
  /**
   * Returns a page of verdicts, newest first. Resolves to undefined if `cursor` is invalid.
   * @param cursor `next` of the previous page; null for the first page
   */
  verdicts(filter: VerdictFilter, limit: number, cursor: string | null): Promise<VerdictPage | undefined>;
  /** Returns one revision of a verdict, or the newest if `revision` is null. Resolves to undefined if it is not stored. */
  verdict(verdictId: string, revision: number | null): Promise<StoredVerdict | undefined>;
  /** Returns the run in the JSON format of `tracejury inspect`, with its verdicts. */
  run(
    runId: string,
  ): Promise<{ readonly json: string; readonly verdicts: readonly StoredVerdict[] } | undefined>;
}

export type OneOrMore<Value> = Value | readonly Value[];

export interface RunFilter {
  /** Outcome of the run. `none` selects runs without a verdict, because they match no query or several queries. */
  readonly outcome?: OneOrMore<Outcome | "none">;
  readonly agent?: OneOrMore<string>;
  readonly service?: OneOrMore<string>;
  readonly conversation?: string;
  /** Id of a query that matches the run. */
  readonly query?: OneOrMore<string>;
  /** Name of a check that failed, warned or was undecided in the run. */
  readonly check?: OneOrMore<string>;
  /** Attribute `service.version` of the agent. */
  readonly version?: OneOrMore<string>;
  readonly modelName?: OneOrMore<string>;
  /** Part of a model's name, case-insensitive. */
  readonly model?: string;
  readonly trace?: string;
  /** Part of the query, case-insensitive. */
  readonly text?: string;
  readonly since?: number;
  readonly until?: number;
}

/** Sort key of a list of runs. Runs without a value come last in both directions. */
export interface RunOrder {
  readonly by: "began" | "took" | "tokens" | "cost";
  readonly isAscending: boolean;
}

/** One entry in a list of runs. */
export interface RunSummary {
  readonly run_id: string;
  readonly agent: string | null;
  readonly service: string | null;
  readonly conversation_id: string | null;
  readonly query: string | null;
  /** Beginning of the run's error; null if the run ended without an error. */
  readonly error: string | null;
  /** The worst outcome of the run's verdicts; null if the run has no verdict, because it matches no query or several queries. */
  readonly outcome: Outcome | null;
  readonly complete: boolean;
  readonly start_unix_ms: number;
  readonly duration_ms: number;
  readonly total_tokens: number | null;
  readonly cost_usd: number | null;
  readonly models: readonly string[];
  /**
   * Attribute `service.version` of the agent; null if unknown, or if the run was stored by a version of Tracejury that did not record it.
   */
  readonly version: string | null;
  readonly seen_unix_ms: number;
  /** Newest revisions of the run's verdicts, in the order of their first evaluation. */
  readonly verdicts: readonly VerdictSummary[];
}

export interface VerdictSummary {
  readonly verdict_id: string;
  readonly spec: string;
  readonly query_id: string;
  readonly outcome: Outcome;
  readonly layers: Readonly<Record<Layer, Outcome>>;
  /** Whether the query has `expected_fail: true`. */
  readonly expected_fail: boolean;
  /** Up to three reasons why the verdict is not a pass. Reasons of checks that have the same outcome as the verdict come first. */
  readonly reasons: readonly VerdictReason[];
}

export interface VerdictReason {
  readonly layer: Layer;
  readonly check: string;
  readonly outcome: Outcome;
  readonly message: string;
}

export const facetNames = ["outcome", "query", "check", "agent", "model", "service", "version"] as const;
export type FacetName = (typeof facetNames)[number];

/** Number of runs that match a filter, in total and for each value of each facet. */
export interface RunFacets {
  readonly total: number;
  /** Whether some runs are not counted, because there are too many runs or too many combinations of facet values. */
  readonly is_partial: boolean;
  /**
   * Values of each facet, most frequent first. The counts of a facet apply all conditions of the filter except those on the facet itself,
   * so that its other values can be selected, too.
   */
  readonly facets: Readonly<Record<FacetName, readonly FacetValue[]>>;
}

export interface FacetValue {
  readonly value: string;
  readonly runs: number;
}

/**
 * Period in Unix milliseconds, and optional filters. Sums include all verdicts of each hour that overlaps the period. `problems` includes
 * exactly the verdicts of the period.
 */
export interface Window {
  readonly since: number;
  readonly until: number;
  readonly spec?: string;
  readonly query?: string;
  readonly agent?: string;
}

/** Sums over the newest revisions of the verdicts of one query in a period. */
export interface VerdictSums {
  readonly spec: string;
  readonly query_id: string;
  /** Start of the bucket; null if the sums cover the whole period. */
  readonly bucket_unix_ms: number | null;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly verdicts: number;
  readonly mean_duration_ms: number | null;
  /** Mean cost in US dollars of the verdicts with a known cost; null if there are none. `costs` is the number of these verdicts. */
  readonly mean_cost_usd: number | null;
  readonly costs: number;
  readonly mean_tokens: number | null;
  readonly token_counts: number;
  readonly agents: readonly string[];
}

/**
 * A group of verdicts of one query in a period: their outcome is the same, and was decided by the same checks. Each verdict counts in its
 * newest revision.
 */
export interface ProblemGroup {
  readonly spec: string;
  readonly query_id: string;
  readonly outcome: Outcome;
  /**
   * Names of the checks that decided the outcome; null for verdicts that were stored by a version of Tracejury that did not record the
   * checks.
   */
  readonly checks: readonly string[] | null;
  readonly verdicts: number;
  readonly first_unix_ms: number;
  readonly last_unix_ms: number;
  /** Messages of the checks, most frequent first. Messages of only a few verdicts may be missing. */
  readonly reasons: readonly { readonly text: string; readonly verdicts: number }[];
  /** The run of the newest verdict in the group. */
  readonly example: { readonly run_id: string; readonly query: string | null; readonly agent: string | null };
}

export interface UnjudgedRun {
  readonly run_id: string;
  readonly spec: string;
  readonly reason: string;
  readonly candidates: readonly string[];
  readonly agent: string | null;
  readonly query: string | null;
  readonly judged_unix_ms: number;
}

/** What became of the code changes that a run made, as reported later by pipelines and reviewers. */
export interface Changes {
  readonly total: number;
  readonly failed: number | null;
  readonly reverted: number | null;
}

/** An annotation to store: a human label of a run, or of one of its verdicts. */
export interface NewAnnotation {
  readonly run_id: string;
  readonly verdict_id: string | null;
  /** The person's decision whether the agent's result is correct; null for a note without a decision. */
  readonly label: "pass" | "fail" | null;
  readonly note: string;
  readonly author: string | null;
  readonly changes?: Changes | null;
}

export interface Annotation extends NewAnnotation {
  readonly id: number;
  readonly created_unix_ms: number;
}

export interface AnnotationFilter {
  readonly run?: string;
  readonly verdict?: string;
  readonly label?: "pass" | "fail";
}

export interface Telemetry {
  readonly signal: "traces" | "logs";
  readonly encoding: "protobuf" | "json";
  readonly bytes: Uint8Array;
}

/** Messages of a span, in the format of the field `messages` of a run. */
export interface SpanMessagesJson {
  readonly input: readonly object[];
  readonly output: readonly object[];
}

/** Converts stored telemetry into spans for display, and into OTLP/JSON. */
export interface TelemetryReading {
  spans(parts: readonly Telemetry[]): Promise<readonly object[]>;
  /** Returns the telemetry as OTLP/JSON, one message on each line. */
  lines(parts: readonly Telemetry[]): Promise<string>;
  /** Returns the input and output messages of a span; undefined if the telemetry does not contain the span. */
  messages(parts: readonly Telemetry[], spanId: string): Promise<SpanMessagesJson | undefined>;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

export interface SampleFilter {
  readonly spec?: string;
  readonly query?: string;
  readonly agent?: string;
  /** Part of a model's name, case-insensitive. */
  readonly model?: string;
  readonly modelName?: string;
  readonly service?: string;
  /** Attribute `service.version` of the agent. */
  readonly version?: string;
  /** Name and value of an attribute of the run. */
  readonly attribute?: readonly [string, string];
  readonly since?: number;
  readonly until?: number;
}

export interface JudgedSample {
  readonly runId: string;
  readonly spec: string;
  readonly queryId: string;
  /** Whether the query is the wildcard `"*"`. */
  readonly isWildcard: boolean;
  readonly query: string | null;
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly costUsd: number | null;
  readonly tokens: number | null;
  /** Names of the used tools, in order. */
  readonly tools: readonly string[];
}

/** Selects the verdicts of one query of one spec, evaluated from `since` until before `until` (Unix milliseconds). */
export interface TrendFilter {
  readonly spec: string;
  readonly query: string;
  readonly since: number;
  readonly until: number;
}

/** A verdict's values for a trend. */
export interface TimedVerdict {
  readonly judgedUnixMs: number;
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly costUsd: number | null;
  readonly tokens: number | null;
}

/** Versions and tools of a run, which may explain a change in the trend of its query; null if unknown. */
export interface RunSetting {
  /** Attribute `service.version` of the agent. */
  readonly version: string | null;
  readonly models: readonly string[];
  readonly specHash: string | null;
  /** Names of the tools that the run used; null if unknown. */
  readonly tools: readonly string[] | null;
}

/** A persistent store of runs and verdicts, with lists, sums, annotations, and notifications about new verdicts. */
export interface Archive extends VerdictStore, ChangeRecords {
  /** Returns a page of runs, newest first by default. Resolves to undefined if `cursor` is invalid. */
  runs(
    filter: RunFilter,
    limit: number,
    cursor: string | null,
    order?: RunOrder,
  ): Promise<Page<RunSummary> | undefined>;
  facets(filter: RunFilter): Promise<RunFacets>;
  revisions(verdictId: string): Promise<readonly StoredVerdict[]>;
  /**
   * Returns the run's stored telemetry. Resolves to undefined if the run does not exist, and to an empty list if its telemetry was not
   * stored.
   */
  telemetry(runId: string): Promise<readonly Telemetry[] | undefined>;
  /** Returns sums by spec and query, and by time if `bucketMs` is given. */
  sums(window: Window, bucketMs: number | null): Promise<readonly VerdictSums[]>;
  /**
   * Groups the verdicts that neither passed nor were skipped, by query, outcome and deciding checks. Returns at most `limit` groups,
   * ordered by outcome (fail, error, incomplete, warn), then by size.
   */
  problems(window: Window, limit: number): Promise<readonly ProblemGroup[]>;
  /** Returns the newest verdicts that match the filter, newest first. */
  samples(filter: SampleFilter, limit: number): Promise<readonly JudgedSample[]>;
  /**
   * Returns the verdicts of one query. If there are more than `limit` verdicts, returns about `limit` of them, evenly spread over the
   * period.
   */
  timedVerdicts(filter: TrendFilter, limit: number): Promise<readonly TimedVerdict[]>;
  /** Returns the versions and tools of the newest runs of a query in a period. */
  runSettings(filter: TrendFilter, limit: number): Promise<readonly RunSetting[]>;
  unjudged(limit: number, cursor: string | null): Promise<Page<UnjudgedRun> | undefined>;
  annotations(filter: AnnotationFilter): Promise<readonly Annotation[]>;
  /** Adds an annotation. Resolves to undefined if the run or verdict does not exist. */
  annotate(annotation: NewAnnotation, nowUnixMs: number): Promise<Annotation | undefined>;
  removeAnnotation(id: number): Promise<boolean>;
  /** Returns the last label of each run, by run id. `judge-audit --labels` uses these labels. */
  labels(): Promise<ReadonlyMap<string, "pass" | "fail">>;
  /** Returns the verdicts with numbers above `number`, oldest first. */
  since(number: number, limit: number): Promise<readonly NumberedVerdict[]>;
  /** Returns the number of the newest verdict; 0 if the store has no verdicts. */
  newest(): Promise<number>;
  /** Calls `listener` whenever new verdicts are stored. Returns a function that unsubscribes. */
  onVerdicts(listener: () => void): () => void;
  status(): Promise<object>;
}
