import type uPlot from "uplot";
import { useLoaded } from "../api.ts";
import { useMemo } from "../hooks.ts";
import { Loaded } from "../parts/notice.tsx";
import { axis, type Colour, Plot } from "../parts/plot.tsx";
import { listRuns } from "../runs/listed-run.ts";
import { RunRow } from "../runs/run-row.tsx";
import type { QueryLine } from "./query-data.ts";

const mostFailures = 5;

/** A query over time, and the runs that failed it last. */
export function QueryDetail({ line }: { line: QueryLine }) {
  const filter = { outcome: ["fail"], query: [line.id] };
  const loading = useLoaded(() => listRuns(filter, mostFailures), [line.key, line.sums?.verdicts]);
  const data = useMemo(() => trendData(line), [line.trend]);
  return (
    <div class="query-detail card">
      <div class="plots">
        <figure>
          <figcaption>Pass rate, with its 95 % interval</figcaption>
          <Plot options={rateOptions} data={data.rates} label="Pass rate over time" />
        </figure>
        <figure>
          <figcaption>Mean duration in seconds</figcaption>
          <Plot options={durationOptions} data={data.durations} label="Mean duration over time" />
        </figure>
      </div>
      <h3>Last failures</h3>
      <Loaded from={loading}>
        {({ runs }) =>
          runs.length === 0 ? (
            <p class="quiet">None is kept.</p>
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

function trendData({ trend }: QueryLine): { rates: uPlot.AlignedData; durations: uPlot.AlignedData } {
  const times = trend.map(({ bucket_unix_ms: bucket }) => (bucket ?? 0) / 1000);
  const share = (value: number | null | undefined): number | null => (value == null ? null : value * 100);
  return {
    rates: [
      times,
      trend.map(({ pass_rate_interval: interval }) => share(interval?.high)),
      trend.map(({ pass_rate_interval: interval }) => share(interval?.low)),
      trend.map(({ pass_rate: rate }) => share(rate)),
    ],
    durations: [times, trend.map(({ mean_duration_ms: ms }) => (ms === null ? null : ms / 1000))],
  };
}

const height = 170;

/** A single moment gets a day around it. */
function wideEnough(_: uPlot, from: number, to: number): [number, number] {
  return from === to ? [from - 43_200, to + 43_200] : [from, to];
}

function rateOptions(colour: Colour): Omit<uPlot.Options, "width"> {
  const faint = { stroke: colour("line"), width: 1, points: { show: false } };
  return {
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { range: wideEnough }, y: { range: [0, 100] } },
    axes: [axis(colour), axis(colour, { values: (_, values) => values.map((value) => `${value} %`) })],
    series: [{}, faint, faint, { stroke: colour("accent"), width: 2, points: { show: true, size: 6 } }],
    bands: [{ series: [1, 2], fill: colour("raised") }],
  };
}

function durationOptions(colour: Colour): Omit<uPlot.Options, "width"> {
  return {
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { range: wideEnough }, y: { range: (_, __, most) => [0, (most || 1) * 1.15] } },
    axes: [axis(colour), axis(colour)],
    series: [{}, { stroke: colour("tool"), width: 2, points: { show: true, size: 6 } }],
  };
}
