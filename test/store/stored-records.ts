import type { Outcome } from "../../src/model/outcome.ts";
import type { DecidedBy, JudgedRecord } from "../../src/store/read/stored.ts";

export const now = 1_700_000_000_000;
export const HOUR = 3_600_000;

/** What a test says of a record; the rest is the same for all. */
export interface Made {
  readonly run?: number;
  readonly revision?: number;
  /** Null: no verdict, but a run that spec `s` did not judge. */
  readonly outcome?: Outcome | null;
  readonly agent?: string | null;
  readonly judgedUnixMs?: number;
  readonly query?: string;
  readonly queryId?: string;
  readonly costUsd?: number | null;
  readonly tools?: readonly string[];
  readonly service?: string;
  readonly models?: readonly string[];
  readonly version?: string;
  readonly durationMs?: number;
  readonly expectedFail?: true;
  readonly decidedBy?: DecidedBy;
  /** Of telemetry; none is kept when null. */
  readonly bytes?: Uint8Array | null;
}

export function runIdOf(run: number): string {
  return `${traceIdOf(run)}-1`;
}

function traceIdOf(run: number): string {
  return run.toString(16).padStart(32, "0");
}

/** A run with one verdict, as it is stored; its texts hold what trips up JSON functions of databases. */
export function record(made: Made = {}): JudgedRecord {
  const { run = 1, revision = 1, outcome = "pass", agent = "Trip-Planner", judgedUnixMs = now } = made;
  const { bytes = Uint8Array.of(0, 255, 7), costUsd = 0.5 } = made;
  const tools = (made.tools ?? ["search"]).map((name) => ({ name, executed: true }));
  const details = { run_id: runIdOf(run), tools, attributes: { "service.version": made.version ?? '1"2' } };
  return {
    run: {
      runId: runIdOf(run),
      traceIds: [traceIdOf(run)],
      agent,
      service: made.service ?? "shop",
      conversationId: null,
      query: made.query ?? "where?",
      answer: "there",
      complete: true,
      startUnixMs: judgedUnixMs,
      durationMs: made.durationMs ?? 100,
      totalTokens: 7,
      costUsd,
      models: made.models ?? ["m"],
      version: made.version ?? null,
      json: JSON.stringify(details),
    },
    verdicts:
      outcome === null
        ? []
        : [
            {
              verdictId: `v${run}`,
              revision,
              spec: "s",
              queryId: made.queryId ?? "q",
              outcome,
              unmetChecks: outcome === "fail" ? ["not_in_answer"] : [],
              ...(made.decidedBy === undefined ? {} : { decidedBy: made.decidedBy }),
              json: verdictJson(run, revision, outcome, made.expectedFail),
            },
          ],
    unjudged: outcome === null ? [{ spec: "s", reason: "unmatched", candidates: ["q", "r"] }] : [],
    telemetry:
      bytes === null
        ? null
        : new Map([[traceIdOf(run), [{ signal: "traces", encoding: "protobuf", bytes }]]]),
    judgedUnixMs,
  };
}

/** A run whose cost and duration vary without a trend. With the new version every second one fails. */
export function trendRecord(run: number, isNew: boolean, judgedUnixMs: number): JudgedRecord {
  return record({
    run,
    outcome: isNew && run % 2 === 0 ? "fail" : "pass",
    version: isNew ? "2.0" : "1.9",
    judgedUnixMs,
    costUsd: 0.5 + (run % 7) / 10,
    durationMs: 100 + ((run * 31) % 90),
  });
}

function verdictJson(run: number, revision: number, outcome: Outcome, expectedFail?: true): string {
  const check = (name: string, result: Outcome): object => ({
    check: name,
    outcome: result,
    message: "so it is",
    missing: [],
    remedy: null,
  });
  const layer = (result: Outcome, name: string): object => ({
    outcome: result,
    reason: "",
    checks: [check(name, result)],
  });
  return JSON.stringify({
    query: "a NUL: \0",
    match: { how: "wildcard", score: 1 },
    verdict_id: `v${run}`,
    revision,
    outcome,
    hard_fail: false,
    ...(expectedFail === true && { expected_fail: true }),
    complete: true,
    close_reason: "root_complete",
    layers: {
      correctness: layer(outcome === "fail" ? "fail" : "pass", "not_in_answer"),
      path: layer("pass", "expected_tools"),
      cost: layer("pass", "max_total_tokens"),
    },
  });
}
