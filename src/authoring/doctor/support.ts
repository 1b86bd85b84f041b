import { todoCheck } from "../../evaluate/checks/blocks/todo-check.ts";
import { assess } from "../../evaluate/assess/assess.ts";
import type { AgentRun } from "../../model/run.ts";
import { type Layer, checksOf } from "../../model/outcome.ts";
import type { BoundCheck, CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { EvidenceName } from "../../../adapters/producer-type.ts";
import type { EvidenceCount } from "./evidence.ts";
import { evidenceFor } from "./needs.ts";

/**
 * Whether the telemetry contains the evidence for a check.
 * `supported`: the check is decided in every run.
 * `partly`: in some runs.
 * `unsupported`: in no run.
 * `not_seen`: no run could have the evidence.
 * `needs_reference`: the check was always skipped, which usually means that the check compares with a baseline.
 */
export type Support = "supported" | "partly" | "unsupported" | "not_seen" | "needs_reference";

export interface CheckSupport {
  readonly check: string;
  readonly layer: Layer;
  readonly queries: readonly string[];
  readonly support: Support;
  /** Number of evaluations in which the check was decided, out of `asked` evaluations. */
  readonly decided: number;
  readonly asked: number;
  readonly needs: readonly EvidenceName[];
  /** Evidence or fields that runs lack, most frequent first. */
  readonly missing: readonly string[];
  /** How to record the missing evidence, from the first undecided evaluation; null if there is none. */
  readonly remedy: string | null;
  /** Whether the check also needs a judge model. */
  readonly judge: boolean;
}

/** Evaluates every check for every run, to find out which checks can be decided. */
export function supportOf(
  spec: CompiledSpec,
  runs: readonly AgentRun[],
  evidence: readonly EvidenceCount[],
): readonly CheckSupport[] {
  const tallies = new Map<string, CheckTally>();
  const of = (bound: BoundCheck): CheckTally => {
    const { key } = bound.check;
    let one = tallies.get(key);
    if (one === undefined) tallies.set(key, (one = new CheckTally(bound)));
    return one;
  };
  for (const query of spec.queries) {
    for (const bound of query.checks) if (dependsOnTelemetry(bound)) of(bound).queries.push(query.id);
    for (const run of runs) {
      const { judged, layers } = assess(run, query, { missing: "not-asked", version: null });
      for (const bound of judged) of(bound).judge(run);
      for (const result of checksOf({ layers })) {
        tallies.get(result.check)?.add(run, result);
      }
    }
  }
  return [...tallies.values()].map((one) => one.conclude(evidence));
}

/**
 * Whether the check reads telemetry, unlike `todo` and unlike keys such as `sequence_mode`, which only modify
 * another check.
 */
function dependsOnTelemetry({ check }: BoundCheck): boolean {
  return check.qualifier !== true && check.key !== todoCheck.key;
}

interface Answer {
  readonly outcome: string;
  readonly missing: readonly string[];
  readonly remedy: string | null;
}

class CheckTally {
  readonly queries: string[] = [];
  readonly #bound: BoundCheck;
  readonly #missing = new Map<string, number>();
  #remedy: string | null = null;
  #decided = 0;
  #asked = 0;
  #skipped = false;

  constructor(bound: BoundCheck) {
    this.#bound = bound;
  }

  add(run: AgentRun, { outcome, missing, remedy }: Answer): void {
    if (outcome === "skip") {
      // A path or cost check is usually skipped because the check lacks a reference. A skip in a failed run does not count, because the
      // error is usually the cause.
      if (run.status !== "error" && this.#bound.check.layer !== "correctness") this.#skipped = true;
      return;
    }
    if (outcome !== "incomplete") {
      this.#asked += 1;
      this.#decided += 1;
      return;
    }
    this.#asked += 1;
    this.#remedy ??= remedy;
    for (const field of missing) this.#missing.set(field, (this.#missing.get(field) ?? 0) + 1);
  }

  /** Counts a run for a judge check. Only a missing answer counts as missing evidence, although some rubrics need more. */
  judge(run: AgentRun): void {
    if (run.status === "error" && run.answer === null) return;
    const missing = run.answer === null ? ["answer"] : [];
    this.add(run, { outcome: missing.length === 0 ? "pass" : "incomplete", missing, remedy: null });
  }

  conclude(evidence: readonly EvidenceCount[]): CheckSupport {
    const { check } = this.#bound;
    const needs = evidenceFor(check);
    const unseen = evidence.some(({ name, state }) => needs.includes(name) && state === "not_seen");
    return {
      check: check.key,
      layer: check.layer,
      queries: this.queries,
      support: this.#support(unseen),
      decided: this.#decided,
      asked: this.#asked,
      needs,
      missing: [...this.#missing].sort(([, a], [, b]) => b - a).map(([field]) => field),
      remedy: this.#remedy,
      judge: check.judged === true,
    };
  }

  #support(unseen: boolean): Support {
    if (this.#asked === 0) return this.#skipped ? "needs_reference" : "not_seen";
    if (this.#decided === 0) return "unsupported";
    if (this.#decided < this.#asked) return "partly";
    return unseen ? "not_seen" : "supported";
  }
}
