import type { NoReference, Reference } from "../evaluate/check.ts";
import { evaluateQuery } from "../evaluate/evaluate.ts";
import type { Unasked } from "../evaluate/without-judge.ts";
import { toVerdict } from "../evaluate/verdict.ts";
import { createMatcher, type UnmatchedCause } from "../match/matcher.ts";
import type { AgentRun } from "../model/run.ts";
import type { Unjudged, Verdict } from "../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../spec/compiled.ts";

/** What became of one run: a verdict for each spec whose query it matched, a note where several queries of a spec or no spec at all claim it. */
export interface JudgedRun {
  readonly run: AgentRun;
  readonly verdicts: Verdict[];
  /** The queries of the verdicts, in the same order. */
  readonly matched: CompiledQuery[];
  readonly unmatched: Unjudged[];
  readonly ambiguous: Unjudged[];
}

export interface JudgeRunOptions {
  readonly specs: readonly CompiledSpec[];
  readonly unasked: Unasked;
  /** The engine's version, for the verdicts' provenance. */
  readonly engine: string;
  readonly reference?: (spec: CompiledSpec, query: CompiledQuery) => Reference | NoReference;
  /** Queries to judge, all when absent. Runs are matched against every query: were some left out, a wildcard would claim their runs. */
  readonly selected?: ReadonlySet<CompiledQuery>;
}

const notAsked: NoReference = { missing: "not-asked", version: null };

/** run → verdicts, each spec by itself. */
export function createJudgeRun(options: JudgeRunOptions): (run: AgentRun) => JudgedRun {
  const { specs, unasked, engine, selected, reference = () => notAsked } = options;
  const matcher = createMatcher(specs);
  const revisions = new Revisions();
  return (run) => {
    const judged: JudgedRun = { run, verdicts: [], matched: [], unmatched: [], ambiguous: [] };
    const refused: Refusal[] = [];
    for (const spec of specs) {
      const found = matcher.match(run, spec);
      if (found.kind === "unmatched") {
        refused.push({ spec, cause: found.cause, reason: found.reason });
      } else if (found.kind === "ambiguous") {
        const reason = `several queries claim it, all by ${found.how} match`;
        judged.ambiguous.push({
          run,
          spec: spec.name,
          reason,
          candidates: found.candidates.map(({ id }) => id),
        });
      } else if (selected === undefined || selected.has(found.query)) {
        const { query, match } = found;
        const evaluation = evaluateQuery(run, query, { reference: reference(spec, query), ...unasked });
        judged.matched.push(query);
        judged.verdicts.push(
          revisions.number(toVerdict({ run, spec, query, match, evaluation, revision: 1, engine })),
        );
      }
    }
    if (refused.length === specs.length) judged.unmatched.push(...toldOnce(run, refused));
    return judged;
  };
}

interface Refusal {
  readonly spec: CompiledSpec;
  readonly cause: UnmatchedCause;
  readonly reason: string;
}

/** A run that no spec claims is told once, with the reason of a spec about its agent if there is one. */
function toldOnce(run: AgentRun, refused: readonly Refusal[]): Unjudged[] {
  const nearest = refused.find(({ cause }) => cause !== "other-agent") ?? refused[0];
  return nearest ? [{ run, spec: nearest.spec.name, reason: nearest.reason, candidates: [] }] : [];
}

const REMEMBERED = 100_000;

/**
 * Numbers the revisions of each verdict from 1: a run that late spans changed gets the same verdict id and the next number. Remembers a
 * bounded number of ids; the late window ends long before they are forgotten.
 */
class Revisions {
  readonly #last = new Map<string, number>();

  number(verdict: Verdict): Verdict {
    const revision = (this.#last.get(verdict.verdictId) ?? 0) + 1;
    this.#last.delete(verdict.verdictId);
    this.#last.set(verdict.verdictId, revision);
    for (const oldest of this.#last.keys()) {
      if (this.#last.size <= REMEMBERED) break;
      this.#last.delete(oldest);
    }
    return revision === 1 ? verdict : { ...verdict, revision };
  }
}
