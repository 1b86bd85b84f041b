import { layers } from "../../../../model/outcome.ts";
import type { AgentRun } from "../../../../model/run.ts";
import type { CheckResult, Unjudged, Verdict } from "../../../../model/verdict.ts";
import { recordedValue } from "./check-values.ts";
import type { Recorder } from "../recorder.ts";
import { escapeControlsInValue } from "../../../structures/control-characters.ts";
import { sha256 } from "../../../structures/sha256.ts";

const longest = 200;

/**
 * Counts a verdict with its layers and checks, and records the values of its checks. A revision of a verdict
 * increases only the count of revised verdicts.
 */
export function recordVerdict(recorder: Recorder, verdict: Verdict): void {
  const spec = label(verdict.spec);
  const query = label(verdict.queryId);
  const about = [agentLabel(verdict.run), spec, query];
  if (verdict.revision > 1)
    return recorder.count("tracejury.verdicts.revised", 1, [...about, verdict.outcome]);
  recorder.count("tracejury.verdicts", 1, [...about, verdict.outcome]);
  for (const layer of layers) {
    const result = verdict.layers[layer];
    recorder.count("tracejury.layer.results", 1, [...about, layer, result.outcome]);
    for (const check of result.checks) recordCheck(recorder, check, spec, query);
  }
}

function recordCheck(recorder: Recorder, check: CheckResult, spec: string, query: string): void {
  const { layer, metric, outcome, value } = check;
  recorder.count("tracejury.check.results", 1, [spec, query, layer, check.check, outcome]);
  const recorded = recordedValue(check);
  if (recorded === undefined) return;
  const labels = [spec, query, layer, metric];
  recorder.measure(recorded.histogram, recorded.amount, labels);
  recorder.measure("tracejury.check.value", Number(value), labels);
}

/**
 * Records duration, tokens and cost of a run. Call `recordRun` once for each run, even if several specs judge the run. Unknown values are
 * not recorded.
 */
export function recordRun(recorder: Recorder, run: AgentRun): void {
  const agent = agentLabel(run);
  recorder.measure("tracejury.run.duration", run.durationMs / 1000, [agent]);
  const { input, output } = run.usage;
  if (input !== null) recorder.measure("tracejury.run.tokens", input, [agent, "input"]);
  if (output !== null) recorder.measure("tracejury.run.tokens", output, [agent, "output"]);
  if (run.costUsd !== null) recorder.measure("tracejury.run.cost", run.costUsd, [agent]);
}

/** Counts a run that matches no query of a spec, or several queries. */
export function recordUnjudged(recorder: Recorder, { spec, candidates }: Unjudged): void {
  recorder.count("tracejury.runs.unjudged", 1, [
    label(spec),
    candidates.length === 0 ? "unmatched" : "ambiguous",
  ]);
}

function agentLabel(run: AgentRun): string | null {
  return run.agent === null ? null : label(run.agent);
}

/**
 * Returns a metric attribute for untrusted text, with control characters escaped. A long text is truncated, to limit memory. A truncated
 * text ends with a hash of the complete text, so that different texts have different series.
 */
export function label(written: string): string {
  const text = escapeControlsInValue(written);
  return text.length <= longest ? text : `${text.slice(0, longest)}…${sha256(text).slice(0, 12)}`;
}
