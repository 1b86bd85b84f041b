import { ask, useLoaded } from "../api.ts";
import { counted } from "../format.ts";
import { useState } from "../hooks.ts";
import { Copyable } from "../parts/copy.tsx";
import { Loaded } from "../parts/notice.tsx";

/** Shown if runs have arrived and there is no spec: the command that writes a spec, and the spec that it would write. */
export function NoSpec({ runs }: { runs: number }) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <div class="headline">
        <h1>{counted(runs, "run")} seen, no spec yet</h1>
        <p class="quiet">
          Listed in <a href="/runs">Runs</a>; they are judged when there is a spec.
        </p>
      </div>
      <section class="panel" aria-labelledby="no-spec-title">
        <header>
          <h2 id="no-spec-title">Write a spec from these runs</h2>
        </header>
        <div class="body no-spec">
          <p>In the folder where the collector was started:</p>
          <Copyable text={`tracejury init --from ${window.location.origin}`} />
          <p class="quiet">
            The collector reads the spec as soon as it is in the folder <code>specs</code>, and then judges
            new runs. To judge the present runs: <code>tracejury test {window.location.origin}</code>.
          </p>
          <button type="button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? "Hide the spec" : "Show the spec it would write"}
          </button>
          {isShown && <Proposal runs={runs} />}
        </div>
      </section>
    </>
  );
}

interface Proposed {
  readonly runs: number;
  readonly left_out: number;
  readonly failed: number;
  readonly specs: readonly { readonly agent: string; readonly file: string; readonly yaml: string }[];
}

function Proposal({ runs: seen }: { runs: number }) {
  const loading = useLoaded(() => ask<Proposed>("/api/v1/proposed-specs"), []);
  return (
    <Loaded from={loading}>
      {({ runs, left_out: leftOut, failed, specs }) => (
        <>
          {failed > 0 && (
            <p class="quiet">{counted(failed, "run")} left out, because a spec judged them as failed.</p>
          )}
          {runs + failed < seen && (
            <p class="quiet">From the newest {counted(runs, "run")}; the command reads all runs.</p>
          )}
          {leftOut > 0 && (
            <p class="quiet">
              {counted(leftOut, "run")} left out: the telemetry does not contain the query, or the query looks
              like a pattern.
            </p>
          )}
          {specs.map(({ file, yaml }) => (
            <section key={file} aria-label={file}>
              <h3>{file}</h3>
              <Copyable text={yaml} label="Copy spec" />
            </section>
          ))}
          {specs.length === 0 && (
            <p>
              No query can be made from these runs. <code>tracejury doctor {window.location.origin}</code>{" "}
              shows what the telemetry lacks.
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}
