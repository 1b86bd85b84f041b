import type { ReportData } from "../../../src/report/render/html/report-data.ts";
import { counted } from "../format.ts";
import { OutcomeMark } from "../parts/outcome.tsx";
import type { Outcome } from "../types.ts";

/** The result in one sentence, then the counts. */
export function Headline({ data: { summary, exit, judging } }: { data: ReportData }) {
  const of = (name: string): number => summary[name] ?? 0;
  const outcome: Outcome = exit.code === 0 ? "pass" : exit.code === 1 ? "fail" : "incomplete";
  const counts: readonly (readonly [Outcome | null, number, string])[] = [
    ["fail", of("failed"), "failed"],
    ["error", of("errors"), of("errors") === 1 ? "error" : "errors"],
    ["incomplete", of("incomplete"), "not decided"],
    ["warn", of("warnings"), "with a warning"],
    ["pass", of("passed"), "passed"],
    ["skip", of("skipped"), "skipped"],
    [null, of("unmatched"), "matched no query"],
    [null, of("ambiguous"), "matched several queries"],
    [null, of("missing"), "queries without a run"],
  ];
  return (
    <header class="report-head">
      <h1>
        <OutcomeMark outcome={outcome} small /> {sentence(of, exit.code)}
      </h1>
      <p class="quiet">{[...exit.reasons, `exit code ${exit.code}`].join(" · ")}</p>
      <ul class="counts">
        {counts
          .filter(([, count]) => count > 0)
          .map(([kind, count, words]) => (
            <li key={words}>
              {kind !== null && <OutcomeMark outcome={kind} small />} <strong>{count}</strong> {words}
            </li>
          ))}
      </ul>
      {judging !== undefined && <p class="quiet">{judging}</p>}
    </header>
  );
}

function sentence(of: (name: string) => number, exitCode: number): string {
  const total = of("total");
  // If there are more verdicts than runs, verdicts are counted: a run can have a verdict for each spec.
  const unit = total <= of("runs") ? "run" : "verdict";
  if (total === 1 && of("failed") === 1) return `The ${unit} failed`;
  if (of("failed") > 0) return `${of("failed")} of ${counted(total, unit)} failed`;
  if (exitCode === 2) return `Undecided: ${counted(total, unit)}, none failed`;
  if (exitCode === 1) return `A gate failed; ${counted(total, unit)}, none failed by itself`;
  if (total === 1) return `The ${unit} did not fail`;
  return total === 0 ? "Nothing was judged" : `None of ${counted(total, unit)} failed`;
}
