import { ask, useLoaded } from "../api.ts";
import { counted } from "../format.ts";
import { CopyButton } from "../parts/copy.tsx";
import { Loaded } from "../parts/notice.tsx";
import { OutcomeMark } from "../parts/outcome.tsx";
import type { TimeRange } from "../parts/time-range.tsx";
import { type Layer, type Outcome, outcomes } from "../types.ts";
import type { QueryLine } from "./query-data.ts";

/** An item of `/api/v1/queries/{id}/checks`. */
interface CheckCounts {
  readonly check: string;
  readonly layer: Layer;
  readonly source: { readonly file: string; readonly line: number } | null;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
}

interface QueryChecks {
  readonly runs: number;
  readonly is_partial: boolean;
  readonly checks: readonly CheckCounts[];
}

/** The lines of a query in its spec. Each line of a check shows the results of the check. */
export function SpecLines({ line, range }: { line: QueryLine; range: TimeRange }) {
  const { id, spec, written } = line;
  const loading = useLoaded(
    () =>
      ask<QueryChecks>(`/api/v1/queries/${encodeURIComponent(id)}/checks`, {
        parameters: { spec, since: range.since, until: range.until },
      }),
    [line.key, line.sums?.verdicts, range.since, range.until],
  );
  const place = written === null ? null : `${written.file}:${written.line}`;
  return (
    <section class="spec-lines" aria-label="What the spec requires">
      <h2>
        What the spec requires, and how often runs meet it <span class="quiet">{place}</span>{" "}
        {written !== null && <CopyButton text={written.yaml} />}
      </h2>
      <Loaded from={loading}>{(found) => <Lines line={line} found={found} />}</Loaded>
    </section>
  );
}

function Lines({ line: { id, written }, found }: { line: QueryLine; found: QueryChecks }) {
  const texts = written?.yaml.trimEnd().split("\n") ?? [];
  const isInBlock = ({ source }: CheckCounts): boolean =>
    written !== null &&
    source !== null &&
    source.file === written.file &&
    source.line >= written.line &&
    source.line < written.line + texts.length;
  const elsewhere = found.checks.filter((check) => !isInBlock(check));
  return (
    <>
      {found.is_partial && <p class="quiet">Of the newest {found.runs} runs.</p>}
      {written !== null && (
        <ol class="spec-block" start={written.line}>
          {texts.map((text, at) => (
            <SpecLine
              key={at}
              query={id}
              number={written.line + at}
              text={text}
              checks={found.checks.filter((one) => isInBlock(one) && one.source?.line === written.line + at)}
            />
          ))}
        </ol>
      )}
      {elsewhere.length > 0 && (
        <>
          {written !== null && <p class="quiet">Written elsewhere in the spec:</p>}
          <ol class="spec-block">
            {elsewhere.map((one) => (
              <SpecLine
                key={`${one.check} ${one.source?.line}`}
                query={id}
                number={one.source?.line ?? null}
                text={one.check}
                checks={[one]}
              />
            ))}
          </ol>
        </>
      )}
    </>
  );
}

interface SpecLineProps {
  readonly query: string;
  readonly number: number | null;
  readonly text: string;
  readonly checks: readonly CheckCounts[];
}

function SpecLine({ query, number, text, checks }: SpecLineProps) {
  const worst = checks.map(shownOutcome).sort(bySeverity)[0];
  return (
    <li class={worst === "fail" || worst === "error" ? "hit" : ""}>
      <span class="ln">{number}</span>
      <code class="src">{text}</code>
      <span class="res">
        {checks.map((one) => (
          <Held key={one.check} query={query} of={one} named={!text.includes(one.check)} />
        ))}
      </span>
    </li>
  );
}

const words: Readonly<Record<Outcome, string>> = {
  pass: "pass",
  warn: "warn",
  fail: "fail",
  error: "end in an error",
  incomplete: "not decided",
  skip: "skipped",
};

/** Shows how many runs had the worst outcome of a check. */
function Held({ query, of, named }: { query: string; of: CheckCounts; named: boolean }) {
  const outcome = shownOutcome(of);
  const runs = of.outcomes[outcome] ?? 0;
  const all = outcomes.reduce((sum, one) => sum + (of.outcomes[one] ?? 0), 0);
  const check = outcome === "pass" || outcome === "skip" ? "" : `&check=${encodeURIComponent(of.check)}`;
  return (
    <a href={`/runs?query=${encodeURIComponent(query)}${check}`} title={detail(of)}>
      <span class="spec-bar" aria-hidden="true">
        <i class={outcome} style={{ width: `${(100 * runs) / Math.max(all, 1)}%` }} />
      </span>
      <OutcomeMark outcome={outcome} small /> {named && `${of.check}: `}
      {runs} of {all} {words[outcome]}
    </a>
  );
}

function detail({ check, outcomes: of }: CheckCounts): string {
  const parts = outcomes.flatMap((one) => {
    const runs = of[one] ?? 0;
    return runs === 0 ? [] : [`${counted(runs, "run")} ${words[one]}`];
  });
  return `${check}: ${parts.join(", ")}`;
}

/** Returns the worst outcome that a check had in any run. */
function shownOutcome({ outcomes: of }: CheckCounts): Outcome {
  return outcomes.find((one) => (of[one] ?? 0) > 0) ?? "skip";
}

function bySeverity(a: Outcome, b: Outcome): number {
  return outcomes.indexOf(a) - outcomes.indexOf(b);
}
