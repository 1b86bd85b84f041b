import type { Recorder } from "../recorder.ts";

type Transport = "http" | "grpc" | "kafka";
type Signal = "traces" | "logs" | "metrics";

const itemsOf = { traces: "spans", logs: "log_records", metrics: "metric_points" } as const;

/** Counts a request and its bytes. The parameters are those of the receiver's `request` event. */
export function recordRequest(
  recorder: Recorder,
  transport: Transport,
  signal: Signal | null,
  outcome: string,
  wireBytes: number,
): void {
  recorder.count("tracejury.receiver.requests", 1, [transport, signal, outcome]);
  if (wireBytes > 0) recorder.count("tracejury.receiver.bytes", wireBytes, [transport, signal]);
}

/** Counts the spans, log records or metric points of a decoded request. */
export function recordItems(
  recorder: Recorder,
  transport: Transport,
  signal: Signal,
  accepted: number,
  refused: number,
): void {
  const items = itemsOf[signal];
  if (accepted > 0) recorder.count(`tracejury.receiver.accepted_${items}`, accepted, [transport]);
  if (refused > 0) recorder.count(`tracejury.receiver.refused_${items}`, refused, [transport]);
}

type Outcomes = Readonly<Record<(typeof sharedOutcomes)[number] | "tooLarge" | "relinquished", number>>;

/** State of the assembler: open traces, and what happened to the spans and log records of closed traces. */
export interface AssemblerState {
  readonly openTraces: number;
  readonly openBytes: number;
  readonly openSpans: number;
  readonly openLogs: number;
  readonly counts: Outcomes & { readonly logs: Outcomes & { readonly uncorrelated: number } };
}

const sharedOutcomes = ["released", "duplicate", "late", "expired", "finished", "own"] as const;

export function observeAssembler(recorder: Recorder, state: AssemblerState): void {
  recorder.observe("tracejury.assembler.open_traces", (report) => report(state.openTraces, []));
  recorder.observe("tracejury.assembler.open_bytes", (report) => report(state.openBytes, []));
  recorder.observe("tracejury.assembler.open_spans", (report) => report(state.openSpans, []));
  recorder.observe("tracejury.assembler.open_log_records", (report) => report(state.openLogs, []));
  recorder.observe("tracejury.assembler.spans", (report) => reportOutcomes(report, state.counts));
  recorder.observe("tracejury.assembler.log_records", (report) => {
    reportOutcomes(report, state.counts.logs);
    report(state.counts.logs.uncorrelated, ["uncorrelated"]);
  });
}

function reportOutcomes(report: (value: number, labels: readonly string[]) => void, counts: Outcomes): void {
  for (const outcome of sharedOutcomes) report(counts[outcome], [outcome]);
  report(counts.tooLarge, ["too_large"]);
  report(counts.relinquished, ["handed_over"]);
}

/** State of the memory account. Values are in bytes, except `collections`, which is a number of garbage collections. */
export interface MemoryState {
  readonly used: number;
  readonly hard: number;
  readonly resident: number;
  readonly limit: number;
  readonly collections: number;
}

export function observeMemory(recorder: Recorder, state: MemoryState): void {
  recorder.observe("tracejury.memory.used", (report) => report(state.used, []));
  recorder.observe("tracejury.memory.available", (report) => report(state.hard, []));
  recorder.observe("tracejury.memory.resident", (report) => report(state.resident, []));
  recorder.observe("tracejury.memory.limit", (report) => report(state.limit, []));
  recorder.observe("tracejury.memory.collections", (report) => report(state.collections, []));
}

export function recordClosedTrace(recorder: Recorder, reason: string): void {
  recorder.count("tracejury.assembler.closed_traces", 1, [reason]);
}

export interface JournalState {
  readonly usedBytes: number;
  readonly liveBytes: number;
  readonly segmentCount: number;
}

export function observeJournal(recorder: Recorder, state: JournalState): void {
  recorder.observe("tracejury.journal.bytes", (report) => report(state.usedBytes, []));
  recorder.observe("tracejury.journal.live_bytes", (report) => report(state.liveBytes, []));
  recorder.observe("tracejury.journal.segments", (report) => report(state.segmentCount, []));
}

export function recordNotKept(recorder: Recorder, reason: "full" | "unwritable"): void {
  recorder.count("tracejury.journal.refused_requests", 1, [reason]);
}

export function recordRecovered(recorder: Recorder, spans: number, logRecords: number): void {
  if (spans > 0) recorder.count("tracejury.journal.recovered_spans", spans, []);
  if (logRecords > 0) recorder.count("tracejury.journal.recovered_log_records", logRecords, []);
}
