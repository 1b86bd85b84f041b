import type { Layer, Outcome } from "../model/outcome.ts";
import type { ChangeRecords } from "./recorded-changes.ts";

/** Filter of verdicts; an absent field does not filter. */
export interface VerdictFilter {
  readonly outcome?: Outcome;
  readonly agent?: string;
  readonly query?: string;
  readonly spec?: string;
  /** Any of the run's traces. */
  readonly trace?: string;
  readonly run?: string;
  /** A part of the run's query or answer, in any case. */
  readonly text?: string;
  /** Judged at or after, before; Unix milliseconds. */
  readonly since?: number;
  readonly until?: number;
}

/** A verdict with what a list shows of it. */
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
  /** The verdict object, as JSON text. */
  readonly json: string;
}

/** A verdict with its number: later verdicts have greater ones. */
export interface NumberedVerdict extends StoredVerdict {
  readonly number: number;
}

export interface VerdictPage {
  /** Newest first. */
  readonly verdicts: readonly StoredVerdict[];
  /** Where the next page begins; null on the last. */
  readonly next: string | null;
}

/** Read access of the API to stored verdicts and runs. */
export interface VerdictStore {
  /** `cursor` is the `next` of the page before; undefined when it is none. */
  verdicts(filter: VerdictFilter, limit: number, cursor: string | null): Promise<VerdictPage | undefined>;
  /** The newest revision, or the one asked for. */
  verdict(verdictId: string, revision: number | null): Promise<StoredVerdict | undefined>;
  /** The run in the shape of `inspect`, with its verdicts. */
  run(
    runId: string,
  ): Promise<{ readonly json: string; readonly verdicts: readonly StoredVerdict[] } | undefined>;
}

/** One value or several, of which any will do. */
export type OneOrMore<Value> = Value | readonly Value[];

export interface RunFilter {
  /** `none`: no query claims it. */
  readonly outcome?: OneOrMore<Outcome | "none">;
  readonly agent?: OneOrMore<string>;
  readonly service?: OneOrMore<string>;
  readonly conversation?: string;
  /** Id of a query that claims it. */
  readonly query?: OneOrMore<string>;
  /** Name of a check that failed, warned or was not decided. */
  readonly check?: OneOrMore<string>;
  /** `service.version` of the agent. */
  readonly version?: OneOrMore<string>;
  /** The whole name of a model. */
  readonly modelName?: OneOrMore<string>;
  /** A part of a model's name, in any case. */
  readonly model?: string;
  readonly trace?: string;
  /** A part of the query, in any case. */
  readonly text?: string;
  readonly since?: number;
  readonly until?: number;
}

/** Sort key of a list of runs; unknown values come last. */
export interface RunOrder {
  readonly by: "began" | "took" | "tokens" | "cost";
  readonly isAscending: boolean;
}

/** A line of a list of runs. */
export interface RunSummary {
  readonly run_id: string;
  readonly agent: string | null;
  readonly service: string | null;
  readonly conversation_id: string | null;
  readonly query: string | null;
  /** The beginning of the run's error; null if it ended without one. */
  readonly error: string | null;
  /** The worst of its verdicts; null when no query claims it. */
  readonly outcome: Outcome | null;
  readonly complete: boolean;
  readonly start_unix_ms: number;
  readonly duration_ms: number;
  readonly total_tokens: number | null;
  readonly cost_usd: number | null;
  readonly models: readonly string[];
  /** `service.version` of the agent; null where unknown, and in runs that older versions stored. */
  readonly version: string | null;
  readonly seen_unix_ms: number;
  /** Newest revisions, in the order they were first judged. */
  readonly verdicts: readonly VerdictSummary[];
}

export interface VerdictSummary {
  readonly verdict_id: string;
  readonly spec: string;
  readonly query_id: string;
  readonly outcome: Outcome;
  readonly layers: Readonly<Record<Layer, Outcome>>;
  /** The query has `expected_fail: true`. */
  readonly expected_fail: boolean;
  /** Why it did not pass: checks of its outcome before others, the first few. */
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

/** How many runs fit a filter, and how many would with another value of one facet. */
export interface RunFacets {
  readonly total: number;
  /** Whether only the newest runs were counted, as there are too many. */
  readonly is_partial: boolean;
  /** The most frequent first. Counts of a facet are of runs that fit the filter's other facets. */
  readonly facets: Readonly<Record<FacetName, readonly FacetValue[]>>;
}

export interface FacetValue {
  readonly value: string;
  readonly runs: number;
}

/** The part of time that sums are made over, in whole hours; Unix milliseconds. */
export interface Window {
  readonly since: number;
  readonly until: number;
  readonly spec?: string;
  readonly query?: string;
  readonly agent?: string;
}

/** Sums over the verdicts of one query in a window; only newest revisions count. */
export interface VerdictSums {
  readonly spec: string;
  readonly query_id: string;
  /** Begin of the bucket; null when the sums are over the whole window. */
  readonly bucket_unix_ms: number | null;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  readonly verdicts: number;
  readonly mean_duration_ms: number | null;
  /** Over the verdicts whose price is known, and how many those are. */
  readonly mean_cost_usd: number | null;
  readonly costs: number;
  readonly mean_tokens: number | null;
  readonly token_counts: number;
  readonly agents: readonly string[];
}

/** Newest verdicts of one query to which the same checks gave the same outcome, in some time. */
export interface ProblemGroup {
  readonly spec: string;
  readonly query_id: string;
  readonly outcome: Outcome;
  /** Names of the checks that decided the outcome; null for verdicts of older versions. */
  readonly checks: readonly string[] | null;
  readonly verdicts: number;
  readonly first_unix_ms: number;
  readonly last_unix_ms: number;
  /** Results of the checks, most frequent first; only some of very many. */
  readonly reasons: readonly { readonly text: string; readonly verdicts: number }[];
  /** The newest of them. */
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

/** Outcomes of a run's changes, which pipelines and reviewers report later. */
export interface Changes {
  readonly total: number;
  readonly failed: number | null;
  readonly reverted: number | null;
}

/** A person's label of a run or of one of its verdicts. */
export interface NewAnnotation {
  readonly run_id: string;
  readonly verdict_id: string | null;
  /** Whether the agent was right in the person's view; null for a note without a decision. */
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

/** Messages in the shape of `messages` of a run. */
export interface SpanMessagesJson {
  readonly input: readonly object[];
  readonly output: readonly object[];
}

/** Turns telemetry as it came into spans that can be looked at, and into OTLP/JSON. */
export interface TelemetryReading {
  spans(parts: readonly Telemetry[]): Promise<readonly object[]>;
  /** One OTLP/JSON message a line. */
  lines(parts: readonly Telemetry[]): Promise<string>;
  /** Input and output messages of one span; undefined if the span is not stored. */
  messages(parts: readonly Telemetry[], spanId: string): Promise<SpanMessagesJson | undefined>;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** Which verdicts a comparison looks at. */
export interface SampleFilter {
  readonly spec?: string;
  readonly query?: string;
  readonly agent?: string;
  /** A part of a model's name, in any case. */
  readonly model?: string;
  /** The whole name of a model. */
  readonly modelName?: string;
  readonly service?: string;
  /** `service.version` of the agent. */
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
  /** Whether the query is `"*"`. */
  readonly isWildcard: boolean;
  /** The run's own text. */
  readonly query: string | null;
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly costUsd: number | null;
  readonly tokens: number | null;
  /** Tools used, in order. */
  readonly tools: readonly string[];
}

/** One query of one spec in a time: judged at or after `since` and before `until`, in Unix milliseconds. */
export interface TrendFilter {
  readonly spec: string;
  readonly query: string;
  readonly since: number;
  readonly until: number;
}

/** Data of a verdict for a trend. */
export interface TimedVerdict {
  readonly judgedUnixMs: number;
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly costUsd: number | null;
  readonly tokens: number | null;
}

/** Under what a run was made and judged; null where it is not known. */
export interface RunSetting {
  /** `service.version` of the agent. */
  readonly version: string | null;
  readonly models: readonly string[];
  readonly specHash: string | null;
  /** Tools used. */
  readonly tools: readonly string[] | null;
}

/** A store that outlives the process: lists, sums, annotations, and new verdicts as they come. */
export interface Archive extends VerdictStore, ChangeRecords {
  /** Newest first where there is no order; undefined when `cursor` is none. */
  runs(
    filter: RunFilter,
    limit: number,
    cursor: string | null,
    order?: RunOrder,
  ): Promise<Page<RunSummary> | undefined>;
  facets(filter: RunFilter): Promise<RunFacets>;
  revisions(verdictId: string): Promise<readonly StoredVerdict[]>;
  /** The run's telemetry as it was received; undefined when there is no such run, empty when it is not kept. */
  telemetry(runId: string): Promise<readonly Telemetry[] | undefined>;
  /** By spec and query, and by time where `bucketMs` is given. */
  sums(window: Window, bucketMs: number | null): Promise<readonly VerdictSums[]>;
  /** Verdicts that are no pass, by query, outcome and checks: failures first, then by how many they are. At most `limit` groups. */
  problems(window: Window, limit: number): Promise<readonly ProblemGroup[]>;
  /** The newest verdicts that fit, newest first. */
  samples(filter: SampleFilter, limit: number): Promise<readonly JudgedSample[]>;
  /** The verdicts of one query; if there are more than `limit`, an evenly spread sample of about that size. */
  timedVerdicts(filter: TrendFilter, limit: number): Promise<readonly TimedVerdict[]>;
  /** Under what the newest runs of a query in a time were made. */
  runSettings(filter: TrendFilter, limit: number): Promise<readonly RunSetting[]>;
  unjudged(limit: number, cursor: string | null): Promise<Page<UnjudgedRun> | undefined>;
  annotations(filter: AnnotationFilter): Promise<readonly Annotation[]>;
  /** Undefined when there is no such run or verdict. */
  annotate(annotation: NewAnnotation, nowUnixMs: number): Promise<Annotation | undefined>;
  removeAnnotation(id: number): Promise<boolean>;
  /** The last label of each run by its id, as `judge-audit --labels` reads them. */
  labels(): Promise<ReadonlyMap<string, "pass" | "fail">>;
  /** Verdicts that came after the one of this number, oldest first; numbers only grow. */
  since(number: number, limit: number): Promise<readonly NumberedVerdict[]>;
  /** The number of the newest verdict; 0 when there is none. */
  newest(): Promise<number>;
  /** Calls whenever verdicts have come; gives a function that ends it. */
  onVerdicts(listener: () => void): () => void;
  status(): Promise<object>;
}
