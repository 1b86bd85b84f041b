import { ask, useLoaded } from "../api.ts";
import { brief, counted } from "../format.ts";
import { useState } from "../hooks.ts";
import { Copyable } from "../parts/copy.tsx";
import { Loaded } from "../parts/notice.tsx";
import { queryBlock } from "../run/query-block.ts";
import type { RunJson } from "../types.ts";
import { isWrittenNow } from "./is-written-now.ts";
import { clustersOf, type Cluster, type QueryLine } from "./query-data.ts";
import type { UnjudgedJson } from "../runs/not-judged.tsx";

/** Query texts of runs to which at least one spec gave no verdict, the most frequent first. */
export function Unmatched({ runs, lines }: { runs: readonly UnjudgedJson[]; lines: readonly QueryLine[] }) {
  const clusters = clustersOf(runs);
  const withoutText = runs.length > 0 && clusters.length === 0;
  return (
    <section class="card" id="unmatched" aria-labelledby="unmatched-title">
      <h2 id="unmatched-title">Questions without a verdict</h2>
      {clusters.length === 0 ? (
        <p class="quiet">
          {withoutText
            ? "The runs that match no query contain no question."
            : "All runs match a query of a spec."}
        </p>
      ) : (
        <ul class="clusters">
          {clusters.map((cluster) => (
            <li key={cluster.example.run_id}>
              <ClusterLine cluster={cluster} isWritten={isWrittenNow(cluster.example, lines)} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function ClusterLine({ cluster: { example, runs }, isWritten }: { cluster: Cluster; isWritten: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <div class="cluster">
        <strong>{counted(runs.length, "run")}</strong>
        <a href={`/runs/${encodeURIComponent(example.run_id)}`}>{brief(example.query ?? "", 120)}</a>
        <span class="quiet">
          spec {example.spec}: {isWritten ? "received before the spec had this query" : example.reason}
        </span>
        {!isWritten && (
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
            Make a query
          </button>
        )}
      </div>
      {open && <QueryBlock runId={example.run_id} />}
    </>
  );
}

function QueryBlock({ runId }: { runId: string }) {
  const loading = useLoaded(() => ask<RunJson>(`/api/v1/runs/${encodeURIComponent(runId)}`), [runId]);
  return <Loaded from={loading}>{(run) => <Copyable text={queryBlock(run)} label="Copy query" />}</Loaded>;
}
