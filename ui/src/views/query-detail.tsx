import type uPlot from "uplot";
import { useLoaded } from "../api.ts";
import { moments } from "../format.ts";
import { useMemo } from "../hooks.ts";
import { Loaded } from "../parts/notice.tsx";
import { axis, type Colour, Plot } from "../parts/plot.tsx";
import { listRuns } from "../runs/listed-run.ts";
import { RunRow } from "../runs/run-row.tsx";
import { timeRange, unixMsOf } from "../parts/time-range.tsx";
import { cleanRate } from "../tables/pooled-sums.ts";
import type { QueryLine } from "./query-data.ts";
import { SpecLines } from "./spec-lines.tsx";
import { type VersionMark, versionMarks } from "./version-marks.ts";

const mostFailures = 5;

/** A query over time, the results of each check in its spec, and the latest failed runs. */
export function QueryDetail({ line }: { line: QueryLine }) {
  const filter = { outcome: ["fail"], query: [line.id] };
  const loading = useLoaded(() => listRuns(filter, mostFailures), [line.key, line.sums?.verdicts]);
  const data = useMemo(() => trendData(line), [line.trend]);
  const seen = useLoaded(() => versionMarks(line.id), [line.key, line.sums?.verdicts]);
  const versions = seen.state === "ready" ? seen.value : none;
  const options = useMemo(
    () => ({
      rates: (colour: Colour) => marked(rateOptions(colour), versions, colour),
      durations: (colour: Colour) => marked(durationOptions(colour), versions, colour),
    }),
    [versions],
  );
  return (
    <div class="query-detail card">
      <div class="plots">
        <figure>
          <figcaption>Pass rate, with its 95 % interval; dashed: passed without a warning</figcaption>
          <Plot key={versions.length} options={options.rates} data={data.rates} label="Pass rate over time" />
        </figure>
        <figure>
          <figcaption>Mean duration in seconds</figcaption>
          <Plot
            key={versions.length}
            options={options.durations}
            data={data.durations}
            label="Mean duration over time"
          />
        </figure>
      </div>
      {versions.length > 0 && (
        <p class="quiet">
          Dashed: first run of{" "}
          {versions
            .map(({ version, atUnixMs }) => `${version} (${moments(atUnixMs, atUnixMs, Date.now())})`)
            .join(", ")}
        </p>
      )}
      <SpecLines line={line} range={timeRange()} />
      <h2>Last failures</h2>
      <Loaded from={loading}>
        {({ runs }) =>
          runs.length === 0 ? (
            <p class="quiet">No failed run is stored.</p>
          ) : (
            <ul class="plain-rows">
              {runs.map((run) => (
                <li key={run.run_id}>
                  <RunRow run={run} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <p>
        <a href={`/runs?query=${encodeURIComponent(line.id)}`}>All runs of this query</a> ·{" "}
        <a href={`/compare?query=${encodeURIComponent(line.id)}&spec=${encodeURIComponent(line.spec)}`}>
          Compare them
        </a>
      </p>
    </div>
  );
}

const none: readonly VersionMark[] = [];

/** Returns the plot options with additional dashed lines: one where each version first occurs. */
function marked(
  options: Omit<uPlot.Options, "width">,
  versions: readonly VersionMark[],
  colour: Colour,
): Omit<uPlot.Options, "width"> {
  const stroke = colour("quiet");
  const draw = (plot: uPlot): void => {
    const { ctx: canvas, bbox } = plot;
    canvas.save();
    canvas.strokeStyle = stroke;
    canvas.fillStyle = stroke;
    canvas.setLineDash([4, 4]);
    canvas.font = `${11 * devicePixelRatio}px system-ui`;
    for (const { version, atUnixMs } of versions) {
      const x = plot.valToPos(atUnixMs / 1000, "x", true);
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      canvas.beginPath();
      canvas.moveTo(x, bbox.top);
      canvas.lineTo(x, bbox.top + bbox.height);
      canvas.stroke();
      const isAtEnd = x > bbox.left + bbox.width * 0.8;
      canvas.textAlign = isAtEnd ? "right" : "left";
      canvas.fillText(version, x + (isAtEnd ? -4 : 4) * devicePixelRatio, bbox.top + 11 * devicePixelRatio);
    }
    canvas.restore();
  };
  return { ...options, hooks: { draw: [draw] } };
}

function trendData({ trend }: QueryLine): { rates: uPlot.AlignedData; durations: uPlot.AlignedData } {
  const times = trend.map(({ bucket_unix_ms: bucket }) => (bucket ?? 0) / 1000);
  const share = (value: number | null | undefined): number | null => (value == null ? null : value * 100);
  return {
    rates: [
      times,
      trend.map(({ pass_rate_interval: interval }) => share(interval?.high)),
      trend.map(({ pass_rate_interval: interval }) => share(interval?.low)),
      trend.map((sums) => share(cleanRate(sums))),
      trend.map(({ pass_rate: rate }) => share(rate)),
    ],
    durations: [times, trend.map(({ mean_duration_ms: ms }) => (ms === null ? null : ms / 1000))],
  };
}

const height = 170;

/**
 * The shown period in seconds since 1970. It begins at a whole hour, as the sums do. If the start or end of the period is not a time, the
 * start or end of the data is used.
 */
function shownTime(_: uPlot, from: number, to: number): [number, number] {
  const { since, until } = timeRange();
  const begin = unixMsOf(since) / 1000;
  const end = (until === "" ? Date.now() : unixMsOf(until)) / 1000;
  return Number.isNaN(begin) || Number.isNaN(end) ? [from, to] : [Math.floor(begin / hour) * hour, end];
}

const hour = 3600;

function rateOptions(colour: Colour): Omit<uPlot.Options, "width"> {
  const dashed = { stroke: colour("warn"), width: 1, dash: [3, 3], points: { show: false } };
  const faint = { stroke: colour("line"), width: 1, points: { show: false } };
  return {
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { range: shownTime }, y: { range: [0, 100] } },
    axes: [axis(colour), axis(colour, { values: (_, values) => values.map((value) => `${value} %`) })],
    series: [
      {},
      faint,
      faint,
      dashed,
      { stroke: colour("accent"), width: 2, points: { show: true, size: 6 } },
    ],
    bands: [{ series: [1, 2], fill: colour("raised") }],
  };
}

function durationOptions(colour: Colour): Omit<uPlot.Options, "width"> {
  return {
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { range: shownTime }, y: { range: (_, __, most) => [0, (most || 1) * 1.15] } },
    axes: [axis(colour), axis(colour)],
    series: [{}, { stroke: colour("tool"), width: 2, points: { show: true, size: 6 } }],
  };
}
