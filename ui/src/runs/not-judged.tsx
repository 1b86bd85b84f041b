import { ApiError, ask, useLoaded } from "../api.ts";
import { brief, counted } from "../format.ts";
import { useEvery, useState } from "../hooks.ts";

export interface UnjudgedJson {
  readonly run_id: string;
  readonly spec: string;
  readonly reason: string;
  readonly candidates: readonly string[];
  readonly agent: string | null;
  readonly query: string | null;
  readonly judged_unix_ms: number;
}

/** Maximum number of reasons that the page loads. */
export const mostUnjudged = 500;

/** Resolves to the runs without a verdict; empty if the store does not contain such runs. */
export async function unjudgedRuns(): Promise<readonly UnjudgedJson[]> {
  try {
    const page = await ask<{ unjudged: UnjudgedJson[] }>("/api/v1/unjudged", {
      parameters: { limit: String(mostUnjudged) },
    });
    return page.unjudged;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

/** Returns the reasons why runs have no verdict, and loads them again every ten seconds. Undefined before they are loaded. */
export function useUnjudged(): readonly UnjudgedJson[] | undefined {
  const [tick, setTick] = useState(0);
  useEvery(10_000, () => setTick(tick + 1), [tick]);
  const loading = useLoaded(unjudgedRuns, [tick]);
  return loading.state === "ready" ? loading.value : undefined;
}

/** Number of runs without a verdict, and the reasons. */
export function NotJudged({ runs }: { runs: readonly UnjudgedJson[] }) {
  if (runs.length === 0) return null;
  const count = new Set(runs.map(({ run_id }) => run_id)).size;
  return (
    <details class="not-judged">
      <summary>
        {counted(count, "run")}
        {runs.length === mostUnjudged ? " or more" : ""} matched no query, or several queries, of a spec
      </summary>
      <UnjudgedReasons runs={runs} />
    </details>
  );
}

/** The reasons why runs have no verdict, each with its number of runs and an example. */
export function UnjudgedReasons({ runs }: { runs: readonly UnjudgedJson[] }) {
  const groups = new Map<string, UnjudgedJson[]>();
  for (const one of runs) {
    const key = JSON.stringify([one.spec, one.reason]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return (
    <ul>
      {[...groups.entries()].map(([key, [one, ...others]]) =>
        one === undefined ? null : (
          <li key={key}>
            <strong>{counted(others.length + 1, "run")}</strong> · {one.spec}: {one.reason}
            {one.candidates.length > 0 && ` (${one.candidates.join(", ")})`} – for example{" "}
            <a href={`/runs/${encodeURIComponent(one.run_id)}`}>
              {brief(one.query ?? "(query unknown)", 80)}
            </a>
          </li>
        ),
      )}
    </ul>
  );
}
