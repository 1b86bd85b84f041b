import type { ReportGroup } from "../../../src/report/render/html/report-data.ts";
import { counted } from "../format.ts";
import { OutcomeMark } from "../parts/outcome.tsx";

/** One line for each kind of warning or undecided verdict, with the number of verdicts and the reason. */
export function SlimGroups({ title, groups }: { title: string; groups: readonly ReportGroup[] }) {
  if (groups.length === 0) return null;
  const runs = groups.reduce((sum, { count }) => sum + count, 0);
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="quiet">
          {counted(runs, "run")}, {counted(groups.length, "kind")}
        </span>
      </header>
      <ul>
        {groups.map(({ outcome, spec, id, count, checks, sources }, at) => (
          <li key={at} class="slim">
            <OutcomeMark outcome={outcome} />
            <span>
              <strong>{id}</strong> <span class="quiet">{spec}</span>
            </span>
            <span>
              {checks.map(({ check, messages }) => (
                <span key={check} class="reason">
                  <code>{check}</code> {messages[0]?.[0]}{" "}
                </span>
              ))}
            </span>
            <span class="quiet">{sources[0]}</span>
            <strong class="num">×{count}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}
