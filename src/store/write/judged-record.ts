import { checksOf, isUnmet } from "../../model/outcome.ts";
import { type TraceBytes, traceBytes } from "../../assemble/batches/trace-bytes.ts";
import type { Trace } from "../../assemble/trace.ts";
import { redactOtlp } from "../../support/redact/redact-otlp.ts";
import type { Redactor } from "../../support/redact/redactor.ts";
import { bytesOfLog } from "../../otlp/rows/log-view.ts";
import { bytesOfSpan } from "../../otlp/rows/span-view.ts";
import type { AgentRun } from "../../model/run.ts";
import type { CheckResult, Verdict } from "../../model/verdict.ts";
import type { JudgedRun } from "../../pipeline/judge-run.ts";
import { runDetailJson } from "../../report/json/run-detail.ts";
import { verdictJsonText } from "../../report/json/verdict-json.ts";
import { otlpObject } from "./otlp-json.ts";
import type { DecidedBy, JudgedRecord, RunRecord, VerdictRecord } from "../read/stored.ts";
import { decidingChecks, type Judged } from "../../report/json/deciding-checks.ts";

/** Maximum number of characters of a reason's text, because the text is in an index. */
const LONGEST_REASON = 200;

const MOST_CHECKS = 12;

/**
 * Maximum size of a run's stored telemetry in bytes. The size is limited, because selecting, packing and writing telemetry each make a copy
 * in memory.
 */
const MOST_TELEMETRY_BYTES = 16 * 2 ** 20;

/**
 * Maximum size of a trace's resources and scopes in bytes. The size is limited, because many traces have the same resources and scopes, and
 * each stored trace contains a copy.
 */
const MOST_SHARED_BYTES = 256 * 2 ** 10;

/** Maximum number of characters of a stored version. */
const LONGEST_VERSION = 200;

/**
 * Converts a judged run, already redacted, into its stored form. The stored form does not retain the run's objects in memory.
 * @param redactor if not null, redacts the telemetry, which is then stored as JSON
 * @param traces traces of the run; null if telemetry is not stored
 */
export function judgedRecord(
  judged: JudgedRun,
  traces: readonly Trace[] | null,
  judgedUnixMs: number,
  redactor: Redactor | null,
): JudgedRecord {
  const [, ...replacedRuns] = judged.run.replaces ?? [];
  return {
    run: runRecord(judged.run),
    ...(replacedRuns.length === 0 ? {} : { replacedRuns }),
    ...(judged.run.replaces === undefined ? {} : { isRevision: true }),
    verdicts: judged.verdicts.map(verdictRecord),
    unjudged: [...judged.unmatched, ...judged.ambiguous].map(({ spec, reason, candidates }) => ({
      spec,
      reason,
      candidates,
    })),
    telemetry:
      traces === null || bytesOf(traces) > MOST_TELEMETRY_BYTES
        ? null
        : new Map(
            traces.flatMap((trace) => {
              const parts = telemetryOf(trace, redactor);
              return parts === null ? [] : [[trace.traceId, parts] as const];
            }),
          ),
    judgedUnixMs,
  };
}

function verdictRecord(verdict: Verdict): VerdictRecord {
  const { verdictId, revision, spec, queryId, outcome, layers, run } = verdict;
  const by = decidedBy({ outcome, layers, error: run.error });
  return {
    verdictId,
    revision,
    spec,
    queryId,
    outcome,
    unmetChecks: unmetChecks(verdict),
    ...(by === undefined ? {} : { decidedBy: by }),
    json: verdictJsonText(verdict),
  };
}

function runRecord(run: AgentRun): RunRecord {
  const { runId, traceIds, agent, service, conversationId, query, answer, complete } = run;
  const { startUnixMs, durationMs, totalTokens, costUsd, models } = run;
  const json = JSON.stringify(runDetailJson(run));
  return {
    runId,
    traceIds,
    agent,
    service,
    conversationId,
    query,
    answer,
    complete,
    ...(run.closeReason === "split" ? { split: true } : {}),
    startUnixMs,
    durationMs,
    totalTokens,
    costUsd,
    models,
    version: versionOf(run),
    json,
  };
}

/** Returns the names of the checks that neither passed nor were skipped, each once. */
function unmetChecks(verdict: Verdict): string[] {
  const unmet = checksOf(verdict).filter(isUnmet);
  return [...new Set(unmet.map(({ check }) => check))];
}

function versionOf({ attributes }: AgentRun): string | null {
  const version = attributes.get("service.version");
  if (version === undefined) return null;
  const text = typeof version === "string" ? version : JSON.stringify(version);
  return text.slice(0, LONGEST_VERSION);
}

function bytesOf(traces: readonly Trace[]): number {
  let bytes = 0;
  for (const { spans } of traces) for (const span of spans) bytes += bytesOfSpan(span);
  return bytes;
}

/** Returns the bytes of a trace's spans and log records, without resources and scopes. */
function ownBytesOf(trace: Trace): number {
  const logs = [...trace.uncorrelatedLogs, ...trace.spans.flatMap((span) => span.logs)];
  return bytesOf([trace]) + logs.reduce((sum, log) => sum + bytesOfLog(log), 0);
}

interface Cut {
  readonly redactor: Redactor | null;
  readonly parts: readonly TraceBytes[] | null;
}

/** Encoded telemetry of each trace, cached because several runs can belong to one trace. */
const cuts = new WeakMap<Trace, Cut>();

/** Returns the telemetry of a trace; null if the resources and scopes are too large to store. */
function telemetryOf(trace: Trace, redactor: Redactor | null): readonly TraceBytes[] | null {
  const known = cuts.get(trace);
  if (known?.redactor === redactor) return known.parts;
  const parts = cutTelemetry(trace, redactor);
  cuts.set(trace, { redactor, parts });
  return parts;
}

function cutTelemetry(trace: Trace, redactor: Redactor | null): TraceBytes[] | null {
  const parts = traceBytes(trace);
  const bytes = parts.reduce((sum, part) => sum + part.bytes.length, 0);
  if (bytes - ownBytesOf(trace) > MOST_SHARED_BYTES) return null;
  if (redactor === null) return parts;
  return parts.map((part) => {
    const text = JSON.stringify(redactOtlp(otlpObject(part), redactor));
    return { signal: part.signal, encoding: "json", bytes: new TextEncoder().encode(text) };
  });
}

/** Returns why a verdict did not pass; undefined for a verdict that passed or was skipped. */
export function decidedBy(
  verdict: Judged<Pick<CheckResult, "check" | "message" | "outcome">> & { readonly error: string | null },
): DecidedBy | undefined {
  if (verdict.outcome === "pass" || verdict.outcome === "skip") return undefined;
  const deciding = decidingChecks(verdict);
  if (deciding.length === 0) return { checks: ["error"], text: shortened(verdict.error ?? "") };
  return {
    checks: [...new Set(deciding.map(({ check }) => check))].slice(0, MOST_CHECKS),
    text: shortened([...new Set(deciding.map(({ message }) => message))].join("; ")),
  };
}

function shortened(text: string): string {
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON - 1)}…` : text;
}
