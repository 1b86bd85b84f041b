import { ApiError, ask, useLoaded } from "../api.ts";
import { counted } from "../format.ts";
import { inRange } from "../parts/time-range.tsx";
import { queryAddress } from "./problem-row.tsx";

/** Of `/api/v1/level-changes`, what is shown of it. */
interface LevelChange {
  readonly change_id: string;
  readonly spec: string;
  readonly query_id: string;
  readonly worse: boolean;
  readonly text: string;
}

const shownAtFirst = 5;

/** When queries got worse or better to stay, in the last thirty days; nothing where none did. */
export function LevelChanges({ tick }: { tick: number }) {
  const loading = useLoaded(loadChanges, [tick]);
  if (loading.state !== "ready" || loading.value.length === 0) return null;
  const changes = loading.value;
  const rest = changes.slice(shownAtFirst);
  return (
    <section class="panel" aria-labelledby="levels-title">
      <header>
        <h2 id="levels-title">Since when</h2>
        <span class="quiet">{counted(changes.length, "lasting change")} in 30 days</span>
      </header>
      <ChangeTable changes={changes.slice(0, shownAtFirst)} />
      {rest.length > 0 && (
        <details class="more-groups">
          <summary>{counted(rest.length, "more change", "more changes")}</summary>
          <ChangeTable changes={rest} />
        </details>
      )}
    </section>
  );
}

/** None where the collector keeps only the last verdicts. */
async function loadChanges(): Promise<readonly LevelChange[]> {
  try {
    const { changes } = await ask<{ changes: LevelChange[] }>("/api/v1/level-changes", {
      parameters: { since: "30d" },
    });
    return changes;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

function ChangeTable({ changes }: { changes: readonly LevelChange[] }) {
  return (
    <table class="rows levels">
      <thead>
        <tr>
          <th scope="col">Query</th>
          <th scope="col">What changed, and when</th>
          <th scope="col">Verdict</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ change_id: id, spec, query_id: query, worse, text }) => (
          <tr key={id}>
            <th scope="row" class="cut">
              <a href={inRange(queryAddress(spec, query))} title={spec}>
                {query}
              </a>
            </th>
            <td class="wrapping">{text}</td>
            <td class={worse ? "mark fail" : "mark pass"}>{worse ? "▲ worse" : "▼ better"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
