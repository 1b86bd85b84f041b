import type { JudgedRun } from "../../pipeline/judge-run.ts";
import {
  reportUnjudged,
  reportVerdict,
  type ReportedRun,
  type ReportedVerdict,
} from "../../render/reported.ts";
import type { Findings } from "../../render/result.ts";
import type { CompiledQuery, CompiledSpec } from "../../spec/compiled.ts";
import type { References } from "../baseline/references.ts";

/** What a `test` call finds, run by run; of a run only what reports say is kept. */
export class Found {
  readonly matched = new Set<CompiledQuery>();
  readonly #references: References;
  readonly #specOf = new Map<CompiledQuery, CompiledSpec>();
  readonly #verdicts: ReportedVerdict[] = [];
  readonly #unmatched: ReportedRun[] = [];
  readonly #ambiguous: ReportedRun[] = [];
  #runs = 0;

  constructor(references: References, specs: readonly CompiledSpec[]) {
    this.#references = references;
    for (const spec of specs) for (const query of spec.queries) this.#specOf.set(query, spec);
  }

  add({ run, verdicts, matched, unmatched, ambiguous }: JudgedRun): void {
    if (run.turns === undefined) this.#runs++;
    for (const [at, verdict] of verdicts.entries()) {
      const query = matched[at];
      const spec = query && this.#specOf.get(query);
      const compared = query && spec ? this.#references.compare(verdict, spec, query) : null;
      this.#verdicts.push(reportVerdict(verdict, compared));
    }
    this.#unmatched.push(...unmatched.map(reportUnjudged));
    this.#ambiguous.push(...ambiguous.map(reportUnjudged));
    for (const query of matched) this.matched.add(query);
  }

  findings(): Pick<Findings, "verdicts" | "unmatched" | "ambiguous" | "runs"> {
    return {
      verdicts: this.#verdicts,
      unmatched: this.#unmatched,
      ambiguous: this.#ambiguous,
      runs: this.#runs,
    };
  }
}
