import type { ReportData, ReportGroup, ReportRun } from "../../../src/report/render/html/report-data.ts";
import { useMemo, useState } from "../hooks.ts";
import { counted } from "../format.ts";
import { FailureGroup } from "./failure-group.tsx";
import { Headline } from "./headline.tsx";
import { type CellFilter, Matrix } from "./matrix.tsx";
import { SlimGroups } from "./slim-groups.tsx";
import { VerdictList } from "./verdict-list.tsx";

/** The complete report: failures, undecided verdicts, rates by query, all verdicts. */
export function Report({ data, isPrinted }: { data: ReportData; isPrinted: boolean }) {
  const [cell, setCell] = useState<CellFilter | null>(null);
  const byRun = useMemo(() => new Map(data.runs.map((run) => [`${run.spec}\n${run.run}`, run])), [data]);
  const exampleOf = ({ spec, example }: ReportGroup): ReportRun | undefined =>
    byRun.get(`${spec}\n${example}`);
  const of = (part: ReportGroup["part"]): readonly ReportGroup[] =>
    data.groups.filter((group) => group.part === part);
  const filterBy = (wanted: CellFilter): void => {
    setCell(wanted);
    document.querySelector("#verdicts")?.scrollIntoView();
  };
  return (
    <main>
      <Headline data={data} />
      {of("failed").map((group, at) => (
        <FailureGroup key={at} group={group} example={exampleOf(group)} />
      ))}
      <SlimGroups title="Not decided" groups={of("undecided")} />
      <SlimGroups title="Warnings" groups={of("warned")} />
      <Problems data={data} />
      {data.runs.length > 0 && <Matrix runs={data.runs} onCell={filterBy} />}
      <VerdictList runs={data.runs} cell={cell} onClear={() => setCell(null)} isPrinted={isPrinted} />
      <footer class="quiet">
        tracejury {data.version} ·{" "}
        {data.specs.map(([file, hash]) => `${file} ${hash.slice(0, 12)}`).join(", ")}
      </footer>
    </main>
  );
}

/** If there are more problems than this, they are folded. */
const few = 5;

function Problems({ data: { problems, moreProblems } }: { data: ReportData }) {
  if (problems.length === 0) return null;
  return (
    <section class="panel" aria-label="Problems without a run">
      <details class="body" open={problems.length <= few}>
        <summary>
          <h2>{counted(problems.length + moreProblems, "problem")} without a run</h2>
        </summary>
        <ul class="problems">
          {problems.map(([title, message], at) => (
            <li key={at}>
              <strong>{title}</strong>: {message}
            </li>
          ))}
          {moreProblems > 0 && <li class="quiet">… and {moreProblems} more</li>}
        </ul>
      </details>
    </section>
  );
}
