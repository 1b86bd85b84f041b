import { counted } from "../format.ts";
import { Copyable } from "../parts/copy.tsx";
import { type UnjudgedJson, UnjudgedReasons } from "../runs/not-judged.tsx";

/** Shown if no run was judged, because each run matches no query or several queries. Shows the reasons, and what to add to the spec. */
export function NoneMatched({ runs }: { runs: readonly UnjudgedJson[] }) {
  const count = new Set(runs.map(({ run_id }) => run_id)).size;
  return (
    <>
      <div class="headline">
        <h1>{counted(count, "run")} seen, and none judged</h1>
        <p class="quiet">
          Listed in <a href="/runs">Runs</a>.
        </p>
      </div>
      <section class="panel" aria-labelledby="none-matched-title">
        <header>
          <h2 id="none-matched-title">Why, and what to do</h2>
        </header>
        <WhatToDo runs={runs} />
      </section>
    </>
  );
}

/**
 * Shown if some runs were not judged, because they match no query or several queries. Shows their number and agents; when unfolded, also
 * the reasons and what to add to the spec.
 */
export function SomeUnmatched({ runs }: { runs: readonly UnjudgedJson[] }) {
  const count = new Set(runs.map(({ run_id }) => run_id)).size;
  const agents = [...new Set(runs.map(({ agent }) => agent ?? "agent unknown"))];
  const more = agents.length > MOST_AGENTS ? ` and ${agents.length - MOST_AGENTS} more` : "";
  return (
    <details class="panel some-unmatched">
      <summary>
        <strong>
          {counted(count, "run")} not judged ({agents.slice(0, MOST_AGENTS).join(", ")}
          {more})
        </strong>
        : why, and what to do
      </summary>
      <WhatToDo runs={runs} />
    </details>
  );
}

const MOST_AGENTS = 3;

function WhatToDo({ runs }: { runs: readonly UnjudgedJson[] }) {
  return (
    <div class="body none-matched">
      <UnjudgedReasons runs={runs} />
      <p>
        If no spec is about the agent, correct the <code>agent</code> of a spec, or write a spec for this
        agent:
      </p>
      <Copyable text={`tracejury init --from ${window.location.origin}`} />
      <p>
        If the agent was asked something else, add queries to the spec (
        <a href="/queries#unmatched">Queries</a> lists what was asked):
      </p>
      <Copyable text={`tracejury init --from ${window.location.origin} --add`} />
    </div>
  );
}
