import { counted, time } from "../format.ts";
import { VirtualList } from "../parts/virtual-list.tsx";
import { setParameters } from "../route.ts";
import type { SpanJson } from "../types.ts";
import { KindBadge } from "./kind-badge.tsx";
import { LaneMark } from "./lanes.tsx";
import { extent, lanesOf, type Row, type Span } from "./rows.ts";
import { chooseStep, type Steps } from "./steps.ts";

const rowHeight = 28;
/** Number of rows that are shown without scrolling. The half row at the end shows that there are more rows. */
const shownRows = 22.5;

interface WaterfallProps {
  readonly steps: Steps;
  /** Spans of the run; empty if the store contains no telemetry. */
  readonly spans: readonly SpanJson[];
  /** Name and id of the selected check. */
  readonly check: { readonly id: string; readonly name: string } | null;
}

/** The run over time: steps in the lanes of their agents, or all spans as a tree. Evidence is highlighted. */
export function Waterfall({ steps, spans, check }: WaterfallProps) {
  const { rows, isTree, lit, chosen } = steps;
  const lanes = lanesOf(rows);
  const window = extent(rows);
  const evidence = new Set(lit);
  const untimed = rows.filter(({ startUnixMs }) => startUnixMs === null).length;
  const shown = lit[0] ?? chosen;
  return (
    <section class="waterfall" aria-labelledby="steps-title">
      <div class="headline">
        <h2 id="steps-title">Steps</h2>
        <p class="quiet" role="status">
          {rows.length - (isTree ? 0 : 1)}
          {check === null ? `, ${time(window.durationMs)}` : `, ${evidenceWords(steps, check.name)}`}
        </p>
        {spans.length > 0 && (
          <label>
            <span class="hidden">Show</span>
            <select
              value={isTree ? "spans" : "steps"}
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
      {!isTree && lanes.length > 1 && <Legend lanes={lanes} />}
      <Axis window={window} />
      <VirtualList
        items={rows}
        rowHeight={rowHeight}
        label="Steps in order of time"
        keyOf={({ key }) => key}
        show={shown === undefined ? -1 : rows.indexOf(shown)}
        showKey={check?.id ?? ""}
        most={shownRows}
      >
        {(row, index) => (
          <button
            type="button"
            class={`step ${row.kind}${check === null || lit.length === 0 ? "" : evidence.has(row) ? " lit" : " dim"}`}
            aria-pressed={row === chosen}
            data-row="choose"
            onClick={() => chooseStep(row.key)}
          >
            <span class="place num quiet">{index}</span>
            {isTree ? (
              <span style={{ width: `${Math.min(row.depth, 12) * 12}px` }} />
            ) : (
              lanes.length > 1 && <LaneMark rows={rows} index={index} lanes={lanes} height={rowHeight} />
            )}
            <KindBadge kind={row.kind} />
            <span class="name">
              {row.error !== null && <span class="mark fail">✗ </span>}
              {row.name} <code class="quiet">{row.detail}</code>
            </span>
            <span class="num took">{row.durationMs === null ? "" : time(row.durationMs)}</span>
            <Bar row={row} window={window} />
          </button>
        )}
      </VirtualList>
      {untimed > 0 && (
        <p class="quiet note">
          ◇ {counted(untimed, "step")} without a time: the instrumentation recorded the call, but not its time
        </p>
      )}
    </section>
  );
}

function evidenceWords({ lit, hidden }: Steps, check: string): string {
  if (lit.length === 0 && hidden === 0) return `${check} is about the run as a whole`;
  const others = hidden === 1 ? "1 more span is not a step" : `${hidden} more spans are not steps`;
  const rest = hidden === 0 ? "" : `, ${others}`;
  return `${lit.length} of them ${lit.length === 1 ? "is" : "are"} evidence for ${check}${rest}`;
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
  if (row.startUnixMs === null) return <span class="track untimed quiet">◇ no time</span>;
  const left = ((row.startUnixMs - window.startUnixMs) / window.durationMs) * 100;
  const width = ((row.durationMs ?? 0) / window.durationMs) * 100;
  return (
    <span class="track" aria-hidden="true">
      <i
        class={`bar ${row.kind}${row.error === null ? "" : " error"}`}
        style={{ left: `min(${left.toFixed(3)}%, 100% - 3px)`, width: `max(3px, ${width.toFixed(3)}%)` }}
      />
    </span>
  );
}

/** Maximum number of characters of a mark on the time axis for which there is space for a mark in the middle. */
const longestMark = 6;

function Axis({ window }: { window: Span }) {
  const isShort = time(window.durationMs).length <= longestMark;
  return (
    <div class="axis" aria-hidden="true">
      {(isShort ? [0, 0.5, 1] : [0, 1]).map((share) => (
        <span key={share} style={{ left: `${share * 100}%` }}>
          {time(window.durationMs * share)}
        </span>
      ))}
    </div>
  );
}
