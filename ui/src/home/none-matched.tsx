import { counted } from "../format.ts";
import { Copyable } from "../parts/copy.tsx";
import { type UnjudgedJson, UnjudgedReasons } from "../runs/not-judged.tsx";

/** Runs have arrived, and no query of a spec matches them: why, and what to write. */
export function NoneMatched({ runs }: { runs: readonly UnjudgedJson[] }) {
  const count = new Set(runs.map(({ run_id }) => run_id)).size;
  return (
    <>
      <div class="headline">
        <h1>{counted(count, "run")} seen, and no query matches</h1>
        <p class="quiet">
          Listed in <a href="/runs">Runs</a>, and not judged.
        </p>
      </div>
      <section class="panel" aria-labelledby="none-matched-title">
        <header>
          <h2 id="none-matched-title">Why, and what to do</h2>
        </header>
        <div class="body none-matched">
          <UnjudgedReasons runs={runs} />
          <p>
            If a spec is about another agent, correct its <code>agent</code>, or write a spec for this agent:
          </p>
          <Copyable text={`tracejury init --from ${window.location.origin}`} />
          <p>
            If the questions differ, <a href="/queries#unmatched">Queries</a> makes query blocks of them.
          </p>
        </div>
      </section>
    </>
  );
}
