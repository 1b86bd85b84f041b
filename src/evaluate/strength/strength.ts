import { checksOf, outcomes, type Outcome } from "../../model/outcome.ts";
import { plainRun } from "../../model/plain-run.ts";
import type { AgentRun } from "../../model/run.ts";
import type { CompiledQuery } from "../query/compiled.ts";
import { assess, type Assessment } from "../assess/assess.ts";
import type { NoReference, Reference } from "../checks/check.ts";
import type { Mutation } from "./mutant.ts";
import { mutantsOf } from "./mutants.ts";
import { type Suggestion, suggest } from "./suggest.ts";

export interface StrengthOptions {
  readonly seed: number;
  /** Maximum number of mutants of each kind and run. */
  readonly most: number;
  readonly reference: Reference | NoReference;
}

export interface Trial {
  readonly runId: string;
  readonly mutation: Mutation;
  readonly what: string;
  /**
   * `killed`: a check detected the fault. `survived`: no check detected the fault. `judge`: no check detected the fault, but a judge of the
   * query, which was not called, might.
   */
  readonly fate: "killed" | "judge" | "survived";
  /** True if the fault fails the run; false if it only warns or changes nothing. */
  readonly fails: boolean;
  /** Checks that detected the fault: "path.max_loops". */
  readonly by: readonly string[];
  /** Check that would detect the fault; null if a check detected the fault, or if no check that would detect it was found. */
  readonly suggestion: Suggestion | null;
}

/** Evaluates a query's deterministic checks on mutants of a passing run, without judges. Undefined if the run itself does not pass. */
export function tryRun(
  good: AgentRun,
  query: CompiledQuery,
  options: StrengthOptions,
): readonly Trial[] | undefined {
  const run = plainRun(good);
  const before = assess(run, query, options.reference);
  if (!passes(run, before)) return undefined;
  const asksJudges = before.judged.length > 0;
  return mutantsOf(run, options.seed, options.most).map((mutant) => {
    const after = assess(mutant.run, query, options.reference);
    const by = detected(before, after);
    const judged = asksJudges && changesMeaning.has(mutant.mutation);
    return {
      runId: run.runId,
      mutation: mutant.mutation,
      what: mutant.what,
      fate: by.length > 0 ? "killed" : judged ? "judge" : "survived",
      fails: after.failed,
      by,
      suggestion: by.length > 0 ? null : suggest(run, query, mutant),
    };
  });
}

/** Mutations of the answer or its evidence, which judges might detect. */
const changesMeaning: ReadonlySet<Mutation> = new Set([
  "answer",
  "number",
  "unit",
  "name",
  "invention",
  "forge",
]);

/** Whether the run passes, possibly with warnings, which do not affect the exit code either. */
function passes(run: AgentRun, assessment: Assessment): boolean {
  if (!run.complete || assessment.failed) return false;
  return checksOf(assessment).every(
    ({ outcome }) => outcome === "pass" || outcome === "warn" || outcome === "skip",
  );
}

/** Returns the checks that the mutant violates and the unchanged run does not, or that fail instead of warn. */
function detected(before: Assessment, after: Assessment): readonly string[] {
  const was = checksOf(before);
  return checksOf(after).flatMap(({ layer, check, outcome }, at) =>
    isViolation(outcome) && rank(outcome) < rank(was[at]?.outcome ?? "skip") ? [`${layer}.${check}`] : [],
  );
}

function isViolation(outcome: Outcome): boolean {
  return outcome === "warn" || outcome === "fail";
}

function rank(outcome: Outcome): number {
  return outcomes.indexOf(outcome);
}
