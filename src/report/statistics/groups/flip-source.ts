import { sideOf, type Observation } from "../observation.ts";
import { normalizeAnswer, similarAtLeast } from "../estimates/similarity.ts";

export type FlipSource = "agent" | "judge" | "infrastructure" | "mixed";

/** Similarity from which two different answers count as paraphrases, as in AgentCI. */
const paraphrase = 0.9;

/**
 * Number of different answers up to which all pairs are compared. With more different answers, answers do not
 * count as paraphrases.
 */
const mostAnswers = 16;

function flipped(values: readonly (boolean | null | undefined)[]): boolean {
  return values.includes(true) && values.includes(false);
}

/** Returns the set of different texts; undefined if one of the texts is unknown. */
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
 * Returns why outcomes differ, judging by the tools and answers of the runs; null if the evidence is not
 * enough.
 */
function sourceFromOutput(runs: readonly Observation[]): FlipSource | null {
  const unjudged = runs.every((run) => run.judgePassed === null);
  const tools = distinct(runs.map((run) => (run.tools ? JSON.stringify(run.tools) : null)));
  const answers = distinct(
    runs.map((run) => (typeof run.answer === "string" ? normalizeAnswer(run.answer) : null)),
  );
  if (tools !== undefined && tools.size > 1) return "agent";
  // If no judge was called, only the agent can cause different outcomes.
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
  // Checks without a judge give equal results for equal answers, so the agent caused their different results.
  return checks && (source === "mixed" || source === null) ? "agent" : source;
}

/**
 * Returns why the outcomes in a group of runs differ; null if the outcomes do not differ, or if the evidence
 * is not enough. The rules are adapted from AgentCI's stability engine, and apply in this order:
 * 1. Some runs ended in an error, and the decided runs have equal outcomes: infrastructure.
 * 2. Only results of checks without a judge differ: agent.
 * 3. The called tools differ: agent. No judge was called: agent. The tools and the answers (ignoring case and
 *    white space) are equal: judge.
 * 4. The answers differ: agent. If all answers are at least 0.9 similar: mixed, because the agent or the
 *    judge can be the cause.
 */
export function flipSource(runs: readonly Observation[]): FlipSource | null {
  const decided = runs.filter((run) => sideOf(run.outcome) !== "undecided");
  if (flipped(decided.map((run) => sideOf(run.outcome) === "passed"))) return sourceOfDecided(decided);
  const errors = runs.some((run) => run.outcome === "error");
  return errors && decided.length > 0 ? "infrastructure" : null;
}

/**
 * Whether the outcomes differ: some runs passed and others failed, or some ended in an error and others were
 * decided.
 */
export function isFlaky(runs: readonly Observation[]): boolean {
  const sides = new Set(runs.map((run) => sideOf(run.outcome)));
  if (sides.has("passed") && sides.has("failed")) return true;
  return sides.size > 1 && runs.some((run) => run.outcome === "error");
}
