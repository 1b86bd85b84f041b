import { sideOf, type Observation } from "../observation.ts";
import { normalizeAnswer, similarAtLeast } from "../estimates/similarity.ts";

/** Cause of different verdicts in a group. */
export type FlipSource = "agent" | "judge" | "infrastructure" | "mixed";

/** From this similarity on, different answers count as paraphrases (AgentCI). */
const paraphrase = 0.9;

/** Distinct answers compared in pairs; more than this many are not all paraphrases of one another. */
const mostAnswers = 16;

/** Whether both true and false occur; null and absent are ignored. */
function flipped(values: readonly (boolean | null | undefined)[]): boolean {
  return values.includes(true) && values.includes(false);
}

/** How many different texts there are; undefined when one of them is not known. */
function distinct(texts: readonly (string | null)[]): ReadonlySet<string> | undefined {
  const known = texts.filter((text) => text !== null);
  return known.length === texts.length ? new Set(known) : undefined;
}

function allSimilar(answers: ReadonlySet<string>): boolean {
  const list = [...answers];
  if (list.length > mostAnswers) return false;
  return list.every((one, i) => list.slice(i + 1).every((other) => similarAtLeast(one, other, paraphrase)));
}

/** Decides by tools and answers of the runs, if the checks alone do not decide it. Null: not enough evidence. */
function sourceFromOutput(runs: readonly Observation[]): FlipSource | null {
  const unjudged = runs.every((run) => run.judgePassed === null);
  const tools = distinct(runs.map((run) => (run.tools ? JSON.stringify(run.tools) : null)));
  const answers = distinct(
    runs.map((run) => (typeof run.answer === "string" ? normalizeAnswer(run.answer) : null)),
  );
  if (tools !== undefined && tools.size > 1) return "agent";
  // Without judges, something in the runs must have differed.
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
  // Checks cannot change on what is merely similar: the answer did it.
  return checks && (source === "mixed" || source === null) ? "agent" : source;
}

/**
 * Why the outcomes of one group's runs differ; null when they do not, or when the evidence does not say.
 * Adapted from AgentCI's stability engine, in this order:
 * 1. The decided runs agree but others ended in an error: infrastructure.
 * 2. Only the results of checks that ask no judge changed: agent.
 * 3. Different tools: agent. Same tools and same answer (but for case and white space): judge, and only then.
 * 4. Different answers: agent, but mixed when all are at least 0.9 similar and a judge was asked.
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
