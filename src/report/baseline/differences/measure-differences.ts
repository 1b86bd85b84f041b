import { RunQuantities } from "../../../evaluate/quantities/run-quantities.ts";
import { dollars, grouped, share } from "../../../evaluate/rules/text.ts";
import type { AgentRun } from "../../../model/run.ts";
import type { Difference } from "./difference.ts";
import { answerSimilarity, sameAnswer } from "./wording.ts";

export function answerDifferences(before: AgentRun, after: AgentRun): readonly Difference[] {
  return [...output(before, after), ...stopReason(before, after)];
}

function output({ answer: before }: AgentRun, { answer: after }: AgentRun): readonly Difference[] {
  if (before === null || after === null || sameAnswer(before, after)) return [];
  const similarity = answerSimilarity(before, after);
  const message = `the answer changed (similarity ${similarity.toFixed(2)})`;
  return [
    { type: "OUTPUT_CHANGED", severity: "warn", layer: "correctness", message, before, after, similarity },
  ];
}

function stopReason(before: AgentRun, after: AgentRun): readonly Difference[] {
  const old = lastStop(before);
  const now = lastStop(after);
  if (old === null || now === null || old === now) return [];
  const message = `the last model call ended with ${now} now, and with ${old} before`;
  const type = "STOP_REASON_CHANGED";
  return [{ type, severity: "error", layer: "correctness", message, before: old, after: now }];
}

/** Maps each vendor's finish reason to a common name, so that runs of different vendors can be compared. */
const sameStops: Readonly<Record<string, string>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  completed: "stop",
  max_tokens: "length",
  max_output_tokens: "length",
  tool_use: "tool_calls",
  tool_call: "tool_calls",
  function_call: "tool_calls",
};

function lastStop({ llm }: AgentRun): string | null {
  const reason = llm.at(-1)?.finishReason?.toLowerCase() ?? null;
  return reason === null ? null : (sameStops[reason] ?? reason);
}

/**
 * Compares the steps, cost and time of two runs. A large increase is a warning or an error. Any other change of the cost is an `info`
 * difference.
 */
export function costDifferences(before: AgentRun, after: AgentRun): readonly Difference[] {
  return [...steps(before, after), ...cost(before, after), ...latency(before, after)];
}

/** Ratio of steps (newer to older run) above which a difference is a warning, as in AgentCI. */
const STEPS_WARN = 1.5;
const COST_WARN = 1.5;
const COST_ERROR = 2;
/**
 * Ratio of run times (newer to older run) above which a difference is a warning. AgentCI declares
 * `LATENCY_SPIKE` without a ratio. Times vary more from run to run than costs, so this ratio is larger than
 * `COST_WARN`.
 */
const LATENCY_WARN = 2;
const LATENCY_WARN_MS = 100;

function steps(before: AgentRun, after: AgentRun): readonly Difference[] {
  const old = stepCount(before);
  const now = stepCount(after);
  if (old === null || now === null || now <= old * STEPS_WARN) return [];
  const message = `${now} steps (model and tool calls), ${old} before`;
  return [{ type: "STEPS_CHANGED", severity: "warn", layer: "path", message, before: old, after: now }];
}

function stepCount(run: AgentRun): number | null {
  const { toolsMissing, toolNames } = new RunQuantities(run);
  return toolsMissing === "tools" || run.llmCalls === null ? null : toolNames.length + run.llmCalls;
}

function cost({ costUsd: before }: AgentRun, { costUsd: after }: AgentRun): readonly Difference[] {
  if (before === null || after === null || dollars(before) === dollars(after)) return [];
  const common = { layer: "cost", before, after } as const;
  const against = `${dollars(after)}, ${dollars(before)} before`;
  const factor = before === 0 ? Infinity : after / before;
  if (factor <= COST_WARN)
    return [{ type: "COST_CHANGED", severity: "info", message: `cost: ${against}`, ...common }];
  const severity = factor > COST_ERROR ? "error" : "warn";
  const limit =
    severity === "error" ? ` (above ${COST_ERROR}× is an error)` : ` (only above ${COST_ERROR}× is an error)`;
  const times = before === 0 ? "" : `${share(factor)}× the cost${limit}: `;
  return [{ type: "COST_SPIKE", severity, message: `${times}${against}`, ...common }];
}

function latency(old: AgentRun, now: AgentRun): readonly Difference[] {
  const before = new RunQuantities(old).durationMs ?? 0;
  const after = new RunQuantities(now).durationMs ?? 0;
  if (before <= 0 || after <= before * LATENCY_WARN || after - before <= LATENCY_WARN_MS) return [];
  const message = `${share(after / before)}× the time: ${grouped(after)} ms, ${grouped(before)} ms before`;
  return [{ type: "LATENCY_SPIKE", severity: "warn", layer: "cost", message, before, after }];
}

/**
 * Compares the models and the instrumentation of two runs. A different model is not a fault, but may explain
 * other differences.
 */
export function fingerprintDifferences(before: AgentRun, after: AgentRun): readonly Difference[] {
  return fingerprints.flatMap(({ type, what, of }): Difference[] => {
    const lists = listsDiffer(of(before), of(after));
    if (lists === null) return [];
    const [old, now] = lists;
    const message = `${what}: ${now.join(", ")}, before ${old.join(", ")}`;
    return [{ type, severity: "info", layer: "correctness", message, before: old, after: now }];
  });
}

const fingerprints = [
  { type: "MODEL_CHANGED", what: "models", of: ({ models }: AgentRun) => models },
  { type: "DIALECT_CHANGED", what: "instrumentation", of: ({ dialects }: AgentRun) => dialects },
] as const;

/**
 * Returns both lists, sorted. Returns null if the lists are equal, or if one list is empty because its values
 * are unknown.
 */
function listsDiffer(before: readonly string[], after: readonly string[]): [string[], string[]] | null {
  const old = [...before].sort();
  const now = [...after].sort();
  if (old.length === 0 || now.length === 0 || JSON.stringify(old) === JSON.stringify(now)) return null;
  return [old, now];
}
