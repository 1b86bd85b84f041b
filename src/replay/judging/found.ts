import { MisspeltTools } from "../../authoring/doctor/misspelt-tools.ts";
import type { JudgedRun } from "../../pipeline/judge-run.ts";
import type { RunFindings } from "../../report/render/findings/part.ts";
import { reportUnjudged, reportVerdict } from "../../report/render/findings/reported.ts";
import type { Findings } from "../../report/render/json/result.ts";
import { type Tally, Tallying, type TallyRules } from "../../report/render/tally/tally.ts";
import type { CompiledQuery, CompiledSpec } from "../../evaluate/query/compiled.ts";
import type { References } from "../baselines/references.ts";
import { HeldFindings, type HeldRuns, type HeldFindingsOptions } from "../findings/held-findings.ts";

export interface FoundOptions extends HeldFindingsOptions {
  readonly references: References;
  readonly specs: readonly CompiledSpec[];
  readonly rules: TallyRules;
}

/** Findings that one thread passes to another. A query is identified by its index among the queries of all specs. */
export interface HandedOver {
  readonly findings: HeldRuns;
  readonly matched: readonly number[];
  /** Names of the tools that the agent has, as the runs of a query show them, by query. */
  readonly offered: readonly (readonly [query: number, names: readonly string[]])[];
  readonly seen: number;
  readonly runs: number;
  readonly tally: Tally;
}

/** Findings of a whole test. The telemetry of the runs is not retained. The caller must close the findings after the report is written. */
export class Found {
  readonly matched = new Set<CompiledQuery>();
  readonly misspelt = new MisspeltTools();
  readonly #references: References;
  readonly #specOf = new Map<CompiledQuery, CompiledSpec>();
  readonly #held: HeldFindings;
  readonly #tallying: Tallying;
  /** Number of all runs, whether judged or not. */
  seen = 0;
  #runs = 0;

  constructor({ references, specs, rules, ...holding }: FoundOptions) {
    this.#references = references;
    this.#held = new HeldFindings(holding);
    this.#tallying = new Tallying(rules);
    for (const spec of specs) for (const query of spec.queries) this.#specOf.set(query, spec);
  }

  add({ run, verdicts, matched, unmatched, ambiguous }: JudgedRun): void {
    if (run.turns === undefined) this.#runs++;
    for (const [at, verdict] of verdicts.entries()) {
      const query = matched[at];
      const spec = query && this.#specOf.get(query);
      const compared = query && spec ? this.#references.compare(verdict, spec, query) : null;
      const reported = reportVerdict(verdict, compared);
      this.#tallying.add(reported, verdict);
      this.#held.verdict(reported);
    }
    for (const one of unmatched) this.#held.unmatched(reportUnjudged(one));
    for (const one of ambiguous) this.#held.ambiguous(reportUnjudged(one));
    for (const query of matched) this.matched.add(query);
    this.misspelt.add(run, matched);
  }

  findings(): Pick<Findings, RunFindings | "runs" | "tally"> {
    return { ...this.#held.findings(), runs: this.#runs, tally: this.#tallying.tally };
  }

  /** Returns the findings in a form that can be passed to another thread, which must close them. */
  relinquish(): HandedOver {
    const queries = [...this.#specOf.keys()];
    const matched = queries.flatMap((query, at) => (this.matched.has(query) ? [at] : []));
    const offered = this.misspelt.offered.map(([query, names]) => [queries.indexOf(query), names] as const);
    const { tally } = this.#tallying;
    return { findings: this.#held.relinquish(), matched, offered, seen: this.seen, runs: this.#runs, tally };
  }

  /** Adds the findings of another thread with the same specs. */
  takeOver({ findings, matched, offered, seen, runs, tally }: HandedOver): void {
    this.#held.takeOver(findings);
    const queries = [...this.#specOf.keys()];
    const queryAt = (at: number): CompiledQuery[] => queries.slice(at, at + 1);
    for (const query of matched.flatMap(queryAt)) this.matched.add(query);
    this.misspelt.takeOver(
      offered.flatMap(([at, names]) => queryAt(at).map((query) => [query, names] as const)),
    );
    this.seen += seen;
    this.#runs += runs;
    this.#tallying.addAll(tally);
  }

  close(): void {
    this.#held.close();
  }
}
