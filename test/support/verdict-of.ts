import { type Layer, layers, worst } from "../../src/model/outcome.ts";
import type { AgentRun } from "../../src/model/run.ts";
import type { CheckResult, JudgeRecord, LayerResult, Verdict } from "../../src/model/verdict.ts";
import type { JudgedRun } from "../../src/pipeline/judge-run.ts";
import { runOf } from "./run-of.ts";

/** The run of a verdict; give only the fields that a test needs. */
export function judgedRun(given: Partial<AgentRun> = {}): AgentRun {
  const { traceId = "5b8efff798038103d269b633813fc60c", rootSpanId = "eee19b7ec3c1b174" } = given;
  const run = runOf({
    traceId,
    rootSpanId,
    runId: `${traceId}-${rootSpanId}`,
    traceIds: [traceId],
    agent: "planner",
    query: "Which day is the museum closed?",
    answer: "On Mondays.",
    usage: { input: 120, output: 30 },
    costUsd: 0.002,
    startUnixMs: 1_700_000_000_000,
    durationMs: 1500,
    rootEndUnixNano: 1_700_000_001_500_000_001n,
  });
  return { ...run, ...given };
}

export function checkOf(given: Partial<CheckResult> & Pick<CheckResult, "check" | "layer">): CheckResult {
  return {
    metric: given.check,
    outcome: "pass",
    value: null,
    limit: null,
    message: "as written",
    remedy: null,
    missing: [],
    spanIds: [],
    source: null,
    judge: null,
    ...given,
  };
}

export function judgeRecordOf(given: Partial<JudgeRecord> = {}): JudgeRecord {
  return {
    rubric: "polite",
    model: "anthropic/claude-sonnet",
    score: 4,
    label: "pass",
    rationale: null,
    votes: [],
    durationMs: 300,
    cached: false,
    promptHash: "0a1b2c3d4e5f",
    ...given,
  };
}

/** A verdict whose layers and outcome are computed from its checks. */
export function verdictOf(checks: readonly CheckResult[] = [], given: Partial<Verdict> = {}): Verdict {
  const byLayer = layers.map((layer) => [layer, layerOf(layer, checks)] as const);
  const results = Object.fromEntries(byLayer) as Record<Layer, LayerResult>;
  return {
    verdictId: "v-1",
    revision: 1,
    spec: "travel",
    specAgent: "planner",
    queryId: "museum",
    match: { how: "exact", score: 1 },
    run: given.run ?? judgedRun(),
    outcome: worst(layers.map((layer) => results[layer].outcome)),
    hardFail: results.correctness.outcome === "fail",
    layers: results,
    metrics: new Map(),
    provenance: { specHash: "abcdef012345", engine: "tracejury", judge: [], prices: null },
    ...given,
  };
}

/** A run with its verdicts, as the pipeline gives it. */
export function judgedWith(run: AgentRun, verdicts: Verdict[] = []): JudgedRun {
  return { run, verdicts, matched: [], unmatched: [], ambiguous: [] };
}

function layerOf(layer: Layer, checks: readonly CheckResult[]): LayerResult {
  const own = checks.filter((check) => check.layer === layer);
  return { outcome: worst(own.map((check) => check.outcome)), reason: `${own.length} checks`, checks: own };
}
