import type { ReportGroup, ReportRun } from "../../../src/report/render/html/report-data.ts";
import { counted } from "../format.ts";
import { CallDiff } from "../parts/call-diff.tsx";
import { OutcomeMark } from "../parts/outcome.tsx";
import { ToolTable } from "../parts/tool-table.tsx";

const shown = 6;

/** A group of runs of a query that failed for the same reason. Shows the reason, one example, and the files. */
export function FailureGroup({ group, example }: { group: ReportGroup; example: ReportRun | undefined }) {
  const first = example?.source ?? "";
  // A set, because all runs of a collector have the collector's address as their source.
  const files = [...new Set([...(first === "" ? [] : [first]), ...group.sources])];
  return (
    <section class={`panel group is-${group.outcome}`}>
      <header>
        <OutcomeMark outcome={group.outcome} />
        <h2>{example?.query ?? group.id}</h2>
        <span class="quiet">
          {group.spec} · {group.id}
        </span>
        <strong class="right">
          {group.count} of {counted(group.of, "run")}
        </strong>
      </header>
      <div class="body halves">
        <div>
          {example?.error != null && <p class="run-error">{example.error}</p>}
          {group.checks.map((one) => (
            <div key={one.check} class="reason">
              <p>
                <code>{one.check}</code>{" "}
                {one.messages
                  .map(([message, runs]) => (one.messages.length > 1 ? `${message} (×${runs})` : message))
                  .join("; ")}
              </p>
              {one.where !== "" && <p class="quiet">required in {one.where}</p>}
            </div>
          ))}
          {example !== undefined && <ExampleEvidence run={example} />}
          {group.command !== null && <pre class="quiet">→ {group.command}</pre>}
        </div>
        <div>
          {group.rows !== undefined && (
            <Files title="Rows of the table" files={group.rows} count={group.rows.length} />
          )}
          {files.length > 0 && <Files title="In these files" files={files} count={group.count} />}
        </div>
      </div>
    </section>
  );
}

function ExampleEvidence({ run }: { run: ReportRun }) {
  const calls = run.checks.flatMap((check) => check.calls);
  const isAboutTools = run.checks.some(
    ({ check, outcome }) => outcome === run.outcome && /tool|loop|sequence|handoff/.test(check),
  );
  return (
    <>
      {calls.length > 0 && <CallDiff calls={calls} />}
      {isAboutTools && run.tools.length > 0 && (
        <ToolTable called={run.tools} expected={run.expected} forbidden={run.forbidden} />
      )}
      {run.checks.some(({ layer, outcome }) => layer === "correctness" && outcome === "fail") && (
        <div class="block">
          <h3>answer</h3>
          <pre>{run.answer ?? "(not captured)"}</pre>
        </div>
      )}
    </>
  );
}

function Files({ title, files, count }: { title: string; files: readonly string[]; count: number }) {
  const item = (file: string, at: number) => (
    <li key={at}>
      <code>{file}</code>
    </li>
  );
  return (
    <div>
      <h3>{title}</h3>
      <ul class="files">{files.slice(0, shown).map(item)}</ul>
      {files.length > shown && (
        <details>
          <summary>{files.length - shown} more</summary>
          <ul class="files">{files.slice(shown).map(item)}</ul>
          {count > files.length && <p class="quiet">… and {count - files.length} more</p>}
        </details>
      )}
    </div>
  );
}
