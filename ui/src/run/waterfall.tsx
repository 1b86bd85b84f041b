import { money, time, tokens } from "../format.ts";
import { VirtualList } from "../parts/virtual-list.tsx";
import { parameter, setParameters } from "../route.ts";
import type { RunJson, SpanJson } from "../types.ts";
import { LaneMark } from "./lanes.tsx";
import { extent, lanesOf, type Row, type Span, spanRows, stepRows } from "./rows.ts";
import { StepDetail } from "./step-detail.tsx";

const rowHeight = 32;

interface WaterfallProps {
  readonly run: RunJson;
  /** Empty where the store does not keep them. */
  readonly spans: readonly SpanJson[];
  /** Spans that the chosen check rests on; null when none is chosen. */
  readonly evidence: ReadonlySet<string> | null;
}

/** The run along time: steps on the lanes of their agents, or all spans as a tree; evidence stands out. */
export function Waterfall({ run, spans, evidence }: WaterfallProps) {
  const all = parameter("show") === "spans" && spans.length > 0;
  const rows = all ? spanRows(run, spans) : stepRows(run, spans);
  const lanes = lanesOf(rows);
  const window = extent(rows);
  const isLit = (row: Row): boolean => row.spanId !== null && evidence?.has(row.spanId) === true;
  const lit = rows.filter(isLit);
  const chosen = rows.find(({ key }) => key === parameter("step"));
  const elsewhere = evidence === null ? 0 : evidence.size - new Set(lit.map(({ spanId }) => spanId)).size;
  const choose = (row: Row): void => setParameters({ step: row.key === chosen?.key ? "" : row.key });
  return (
    <section class="waterfall" aria-labelledby="steps-title">
      <div class="headline">
        <h2 id="steps-title">Steps</h2>
        <p class="quiet" role="status">
          {evidence === null
            ? `${rows.length} rows, ${time(window.durationMs)}`
            : evidenceLine(lit.length, elsewhere)}
        </p>
        {spans.length > 0 && (
          <label>
            Show{" "}
            <select
              value={all ? "spans" : "steps"}
              onChange={({ currentTarget: { value } }) =>
                setParameters({ show: value === "spans" ? "spans" : "", step: "" })
              }
            >
              <option value="steps">steps by agent</option>
              <option value="spans">all {spans.length} spans</option>
            </select>
          </label>
        )}
      </div>
      {!all && lanes.length > 1 && <Legend lanes={lanes} />}
      <Axis window={window} />
      <VirtualList
        items={rows}
        rowHeight={rowHeight}
        label="Steps in order of time"
        keyOf={({ key }) => key}
        show={firstToShow(rows, isLit, chosen)}
        most={18}
      >
        {(row, index) => (
          <button
            type="button"
            class={`step ${row.kind}${evidence === null ? "" : isLit(row) ? " lit" : " dim"}`}
            aria-pressed={row === chosen}
            onClick={() => choose(row)}
          >
            {all ? (
              <span style={{ width: `${Math.min(row.depth, 12) * 12}px` }} />
            ) : (
              <LaneMark rows={rows} index={index} lanes={lanes} height={rowHeight} />
            )}
            <span class="kind">{row.kind}</span>
            <span class="name">
              {row.error !== null && <span class="mark fail">✗ </span>}
              {row.name}
            </span>
            <span class="sum">
              {row.tokens !== null && <span>{tokens(row.tokens)}</span>}
              {row.costUsd !== null && <span>{money(row.costUsd)}</span>}
              <span>{time(row.durationMs)}</span>
            </span>
            <Bar row={row} window={window} />
          </button>
        )}
      </VirtualList>
      {chosen !== undefined && <StepDetail run={run} row={chosen} spans={spans} />}
    </section>
  );
}

function evidenceLine(lit: number, elsewhere: number): string {
  if (lit === 0 && elsewhere === 0) return "this check rests on the run as a whole, on no single span";
  const rest = elsewhere === 0 ? "" : `, and on ${elsewhere} more spans that are no step: show all spans`;
  return `the check rests on ${lit} of these${rest}`;
}

function firstToShow(rows: readonly Row[], isLit: (row: Row) => boolean, chosen: Row | undefined): number {
  const lit = rows.findIndex(isLit);
  return lit >= 0 ? lit : chosen === undefined ? -1 : rows.indexOf(chosen);
}

function Legend({ lanes }: { lanes: readonly string[] }) {
  return (
    <p class="legend">
      {lanes.map((lane, at) => (
        <span key={lane}>
          <i class={`lane-${at % 6}`} /> {lane}
        </span>
      ))}
    </p>
  );
}

function Bar({ row, window }: { row: Row; window: Span }) {
  if (row.startUnixMs === null) return <span class="track" />;
  const left = ((row.startUnixMs - window.startUnixMs) / window.durationMs) * 100;
  const width = ((row.durationMs ?? 0) / window.durationMs) * 100;
  return (
    <span class="track" aria-hidden="true">
      <i
        class={`bar ${row.kind}${row.error === null ? "" : " error"}`}
        style={{ left: `${left.toFixed(3)}%`, width: `max(3px, ${width.toFixed(3)}%)` }}
      />
    </span>
  );
}

function Axis({ window }: { window: Span }) {
  return (
    <div class="axis" aria-hidden="true">
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <span key={share} style={{ left: `${share * 100}%` }}>
          {time(window.durationMs * share)}
        </span>
      ))}
    </div>
  );
}
