import type { ReportRun } from "../../../src/report/render/html/report-data.ts";
import { useMemo, useState } from "../hooks.ts";
import { OutcomeMark } from "../parts/outcome.tsx";
import { outcomes } from "../types.ts";
import { type CellFilter, isInCell } from "./matrix.tsx";
import { RunBody } from "./run-body.tsx";

const step = 50;

interface VerdictListProps {
  readonly runs: readonly ReportRun[];
  readonly cell: CellFilter | null;
  readonly onClear: () => void;
  readonly isPrinted: boolean;
}

/** All verdicts in pages, failures first, with a search in queries, reasons and files. */
export function VerdictList({ runs, cell, onClear, isPrinted }: VerdictListProps) {
  const [outcome, setOutcome] = useState("");
  const [words, setWords] = useState("");
  const [most, setMost] = useState(step);
  const [isExpanded, setExpanded] = useState(false);
  const sorted = useMemo(
    () => runs.toSorted((a, b) => outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome)),
    [runs],
  );
  const found = useMemo(
    () =>
      sorted.filter(
        (run) =>
          (outcome === "" || run.outcome === outcome) &&
          (cell === null || isInCell(run, cell)) &&
          hasWords(run, words.trim().toLowerCase()),
      ),
    [sorted, outcome, words, cell],
  );
  return (
    <section id="verdicts" class="panel" aria-labelledby="verdicts-title">
      <header>
        <h2 id="verdicts-title">{runs.length === 1 ? "The verdict" : `All ${runs.length} verdicts`}</h2>
        <span id="place" class="quiet" role="status">
          {found.length} of {runs.length}, {Math.min(most, found.length)} shown, failures first
        </span>
        <form class="right" onSubmit={(event) => event.preventDefault()}>
          {cell !== null && (
            <button type="button" class="chip" onClick={onClear}>
              {cell.id}
              {cell.column !== null && `, ${cell.column}`} ✕<span class="hidden"> remove this filter</span>
            </button>
          )}
          <input
            id="words"
            type="search"
            aria-label="Search query, reason, file"
            placeholder="Search query, reason, file"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
          <select
            id="outcome"
            aria-label="Outcome"
            value={outcome}
            onChange={(event) => setOutcome(event.currentTarget.value)}
          >
            <option value="">all outcomes</option>
            {outcomes.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
          <button type="button" aria-pressed={isExpanded} onClick={() => setExpanded(!isExpanded)}>
            {isExpanded ? "Collapse all" : "Expand all"}
          </button>
        </form>
      </header>
      <div id="runs">
        {found.slice(0, most).map((run) => (
          <Verdict key={`${run.spec}\n${run.run}`} run={run} isOpen={isExpanded || isPrinted} />
        ))}
      </div>
      {found.length > most && (
        <footer>
          <button type="button" onClick={() => setMost(most + step)}>
            {Math.min(step, found.length - most)} more
          </button>{" "}
          <span class="quiet">{found.length - most} are not shown</span>
        </footer>
      )}
    </section>
  );
}

function hasWords(run: ReportRun, words: string): boolean {
  if (words === "") return true;
  const texts = [
    run.query,
    run.spec,
    run.id,
    run.run,
    run.source,
    run.error ?? "",
    reasonOf(run),
    ...run.tools,
  ];
  return texts.join("\n").toLowerCase().includes(words);
}

/** Returns the reason of a verdict: the message of the first check that decided the outcome. */
function reasonOf({ checks, outcome, error }: ReportRun): string {
  if (outcome === "pass" || outcome === "skip") return "";
  return checks.find((check) => check.outcome === outcome)?.message ?? error ?? "";
}

function Verdict({ run, isOpen }: { run: ReportRun; isOpen: boolean }) {
  const [isToggled, setToggled] = useState(false);
  const isShown = isOpen || isToggled;
  return (
    <details class="row" open={isShown} onToggle={(event) => setToggled(event.currentTarget.open)}>
      <summary>
        <OutcomeMark outcome={run.outcome} />
        <strong class="cut">{run.query}</strong>
        <span class="why cut">{reasonOf(run)}</span>
        <span class="num">{run.time}</span>
        <span class="num quiet">{run.money}</span>
      </summary>
      {isShown && <RunBody run={run} />}
    </details>
  );
}
