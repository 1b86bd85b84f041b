import { pretty, time } from "../format.ts";
import { KindBadge } from "../run/kind-badge.tsx";
import type { Row } from "../run/rows.ts";
import type { JsonValue } from "../types.ts";
import { parseShown } from "../shown-json.ts";
import { isEqual, type Part, type StepPair } from "./compare-steps.ts";
import { lineDiff, type MarkedLine } from "./line-diff.ts";

/** A step of two runs. When opened, shows the step's input and output in both runs. */
export function StepPairRow({ pair }: { pair: StepPair }) {
  const { a, b, parts, differing } = pair;
  const state = isEqual(pair) ? "equal" : a === null || b === null ? "single" : "differs";
  return (
    <details class={`pair ${state}`}>
      <summary data-row="choose">
        <Cell row={a} other="B" differing={differing} />
        <Cell row={b} other="A" differing={differing} />
      </summary>
      <div class="pair-parts">
        {parts.length === 0 && <p class="quiet">The contents of this step were not recorded.</p>}
        {parts.map((part) => (
          <PartDiff key={part.name} part={part} />
        ))}
      </div>
    </details>
  );
}

function Cell({ row, other, differing }: { row: Row | null; other: string; differing: readonly string[] }) {
  if (row === null) return <span class="cell none quiet">only in {other}</span>;
  return (
    <span class="cell">
      <KindBadge kind={row.kind} />
      <span class="cut">
        <strong>{row.name}</strong> <code class="quiet">{row.detail}</code>
      </span>
      {differing.length > 0 && <span class="badge">other {differing.join(", ")}</span>}
      {row.error !== null && <span class="mark fail">✗</span>}
      <span class="num quiet took">{row.startUnixMs === null ? "◇ no time" : time(row.durationMs)}</span>
    </span>
  );
}

/** A part of a step in both runs, line by line; lines that occur in only one run are marked. */
export function PartDiff({ part: { name, a, b } }: { part: Part }) {
  const [textA, textB] = [textOf(a), textOf(b)];
  const lines = a === null || b === null ? null : lineDiff(textA, textB);
  return (
    <div class="part">
      <h3>{name}</h3>
      <Side label={`${name} in A`} value={a} text={textA} lines={lines?.a} />
      <Side label={`${name} in B`} value={b} text={textB} lines={lines?.b} />
    </div>
  );
}

interface SideProps {
  readonly label: string;
  readonly value: JsonValue;
  readonly text: string;
  readonly lines: readonly MarkedLine[] | undefined;
}

function Side({ label, value, text, lines }: SideProps) {
  if (value === null) return <p class="quiet">–</p>;
  return (
    <pre aria-label={label} role="group" tabIndex={0}>
      {lines === undefined
        ? text
        : lines.map((line, at) =>
            line.isOwn ? (
              <mark key={at}>
                {line.text}
                {"\n"}
              </mark>
            ) : (
              `${line.text}\n`
            ),
          )}
    </pre>
  );
}

/** Formats a value as text. A structured value has one line for each entry, so that differences are short. */
function textOf(value: JsonValue): string {
  if (value === null) return "";
  const text = pretty(value);
  if (!/^[[{]/.test(text)) return text;
  try {
    return JSON.stringify(parseShown(text), null, 2);
  } catch {
    return text;
  }
}
