import { ApiError, ask, useLoaded } from "../api.ts";
import { counted } from "../format.ts";
import { Copyable } from "../parts/copy.tsx";
import { mostUnjudged, type UnjudgedJson } from "./not-judged.tsx";

interface Period {
  readonly since: string;
  readonly until: string;
}

const anyTime: Period = { since: "", until: "" };

/** Why a run has neither a verdict nor a reason. The store does not record which of the two it is. */
export const whyWithoutReason = "received before the collector had a spec, or left out by sampling";

/** Whether a run has neither a verdict nor a reason. False if this is unknown, because not all reasons are loaded. */
export function isWithoutReason(runId: string, unjudged: readonly UnjudgedJson[]): boolean {
  return unjudged.length < mostUnjudged && unjudged.every(({ run_id }) => run_id !== runId);
}

interface WithoutReasonProps {
  readonly unjudged: readonly UnjudgedJson[];
  readonly period?: Period;
  readonly isPanel?: boolean;
}

/** Shows the number of runs that have neither a verdict nor a reason, and the command that judges them. */
export function WithoutReason({ unjudged, period = anyTime, isPanel = false }: WithoutReasonProps) {
  const loading = useLoaded(
    () => runsWithoutReason(unjudged, period),
    [unjudged, period.since, period.until],
  );
  if (loading.state !== "ready" || loading.value.count === 0) return null;
  const { count, isMore } = loading.value;
  const it = count === 1 && !isMore ? "it was" : "they were";
  return (
    <details class={isPanel ? "panel some-unmatched" : "not-judged"}>
      <summary>
        <strong>
          {counted(count, "run")}
          {isMore && " or more"} not judged
        </strong>
        , because {it} {whyWithoutReason}: what to do
      </summary>
      <div class="body">
        <p>
          The collector judges new runs only, and not those that the setting <code>sampling</code> leaves out.
          To judge these runs, call this command in the folder with the spec:
        </p>
        <Copyable text={`tracejury test ${window.location.origin}`} />
      </div>
    </details>
  );
}

/** Counts the runs of a period that have neither a verdict nor a reason. `isMore`: only the newest runs were counted. */
async function runsWithoutReason(
  unjudged: readonly UnjudgedJson[],
  { since, until }: Period,
): Promise<{ count: number; isMore: boolean }> {
  // If not all reasons are loaded, a run without a reason may have one.
  if (unjudged.length >= mostUnjudged) return { count: 0, isMore: false };
  const explained = new Set(unjudged.map(({ run_id }) => run_id));
  try {
    const [{ specs }, { runs, next }] = await Promise.all([
      ask<{ specs: readonly unknown[] }>("/api/v1/specs"),
      ask<{ runs: readonly { run_id: string }[]; next: string | null }>("/api/v1/runs", {
        parameters: { outcome: "none", since, until, limit: String(mostUnjudged) },
      }),
    ]);
    const count = runs.filter(({ run_id }) => !explained.has(run_id)).length;
    return { count: specs.length === 0 ? 0 : count, isMore: next !== null };
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { count: 0, isMore: false };
    throw error;
  }
}
