import { sideOf, type Observation } from "../observation.ts";
import { normalizeAnswer, similarAtLeast } from "../estimates/similarity.ts";

/** Cause of different verdicts in a group. */
export type FlipSource = "agent" | "judge" | "infrastructure" | "mixed";

/** Minimum similarity at which different answers count as paraphrases (AgentCI). */
const paraphrase = 0.9;

/**
 * Maximum number of distinct answers that are compared in pairs; more are not all paraphrases of each other.
 */
const mostAnswers = 16;

/** Whether both true and false occur; null and absent are ignored. */
function flipped(values: readonly (boolean | null | undefined)[]): boolean {
  return values.includes(true) && values.includes(false);
}

/** Returns the different texts; undefined if one is unknown. */
function distinct(texts: readonly (string | null)[]): ReadonlySet<string> | undefined {
  const known = texts.filter((text) => text !== null);
  return known.length === texts.length ? new Set(known) : undefined;
}

function allSimilar(answers: ReadonlySet<string>): boolean {
  const list = [...answers];
  if (list.length > mostAnswers) return false;
  return list.every((one, i) => list.slice(i + 1).every((other) => similarAtLeast(one, other, paraphrase)));
}

/**
 * Returns the cause from tools and answers of the runs, if the checks alone do not decide it. Null: not
 * enough evidence.
 */
function sourceFromOutput(runs: readonly Observation[]): FlipSource | null {
  const unjudged = runs.every((run) => run.judgePassed === null);
  const tools = distinct(runs.map((run) => (run.tools ? JSON.stringify(run.tools) : null)));
  const answers = distinct(
    runs.map((run) => (typeof run.answer === "string" ? normalizeAnswer(run.answer) : null)),
  );
  if (tools !== undefined && tools.size > 1) return "agent";
  // Without judges, the runs themselves must differ.
  if (unjudged) return "agent";
  if (answers === undefined) return null;
  if (answers.size > 1) return allSimilar(answers) ? "mixed" : "agent";
  return tools === undefined ? null : "judge";
}

function sourceOfDecided(runs: readonly Observation[]): FlipSource | null {
  const checks = flipped(runs.map((run) => run.deterministicPassed));
  const judges = flipped(runs.map((run) => run.judgePassed));
  if (checks && !judges) return "agent";
  const source = sourceFromOutput(runs);
  // Check results cannot change for equal answers, so the answer is the cause.
  return checks && (source === "mixed" || source === null) ? "agent" : source;
}

/**
 * Returns why the outcomes of one group's runs differ; null if they do not, or the evidence is not enough.
 * Adapted from AgentCI's stability engine, in this order:
 * 1. The decided runs agree but others ended in an error: infrastructure.
 * 2. Only results of checks without a judge changed: agent.
 * 3. Different tools: agent. Same tools and same answer (except case and white space): judge, and only in
 * this case.
 * 4. Different answers: agent; but mixed if all are at least 0.9 similar and a judge was called.
 */
export function flipSource(runs: readonly Observation[]): FlipSource | null {
  const decided = runs.filter((run) => sideOf(run.outcome) !== "undecided");
  if (flipped(decided.map((run) => sideOf(run.outcome) === "passed"))) return sourceOfDecided(decided);
  const errors = runs.some((run) => run.outcome === "error");
  return errors && decided.length > 0 ? "infrastructure" : null;
}

/** Whether the runs' outcomes differ: passed and failed ones, or an error beside decided ones. */
export function isFlaky(runs: readonly Observation[]): boolean {
  const sides = new Set(runs.map((run) => sideOf(run.outcome)));
  if (sides.has("passed") && sides.has("failed")) return true;
  return sides.size > 1 && runs.some((run) => run.outcome === "error");
}
