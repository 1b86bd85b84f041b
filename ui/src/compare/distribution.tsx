import type uPlot from "uplot";
import { useMemo } from "../hooks.ts";
import { figure, metricWords } from "./differences.ts";
import { axis, type Colour, Plot } from "../parts/plot.tsx";

const bins = 24;

const shownShare = 0.99;

/**
 * The distributions of a metric on both sides, as step lines with the same bins. The height is the share of the side's runs. The horizontal
 * axis ends at the 99th percentile of all runs.
 */
export function Distribution(props: { a: readonly number[]; b: readonly number[]; metric: string }) {
  const { a, b, metric } = props;
  const name = metricWords[metric] ?? metric;
  const drawn = useMemo(() => histogram(a, b), [a, b]);
  if (drawn === null) return <p class="quiet">Not known.</p>;
  return (
    <>
      <Plot
        options={(colour) => optionsOf(metric, colour)}
        data={drawn.data}
        label={`Distribution of ${name} for A and B`}
      />
      <p class="quiet">
        <span class="side-a">━ A</span> <span class="side-b">╍ B</span> · share of the runs of each · axis
        ends at the 99th percentile
        {drawn.beyond > 0 && `, ${drawn.beyond} ${drawn.beyond === 1 ? "run is" : "runs are"} beyond`}
      </p>
    </>
  );
}

function histogram(
  a: readonly number[],
  b: readonly number[],
): { data: uPlot.AlignedData; beyond: number } | null {
  const all = [...a, ...b].sort((one, other) => one - other);
  const low = all[0];
  const last = all.at(-1);
  if (low === undefined || last === undefined) return null;
  const clipped = all[Math.ceil(shownShare * all.length) - 1] ?? last;
  const high = clipped === low ? low + (Math.abs(low) || 1) : clipped;
  const width = (high - low) / bins;
  const edges = Array.from({ length: bins + 1 }, (_, at) => low + at * width);
  const beyond = all.filter((value) => value > high).length;
  return { data: [edges, shares(a, low, high, width), shares(b, low, high, width)], beyond };
}

/** Returns the share of the values in each bin, in per cent. The last share is repeated, so that the last step has a width. */
function shares(values: readonly number[], low: number, high: number, width: number): number[] {
  const counts: number[] = Array.from({ length: bins }, () => 0);
  for (const value of values) {
    if (value > high) continue;
    const at = Math.min(bins - 1, Math.floor((value - low) / width));
    counts[at] = (counts[at] ?? 0) + 100 / values.length;
  }
  return [...counts, counts.at(-1) ?? 0];
}

function optionsOf(metric: string, colour: Colour): Omit<uPlot.Options, "width"> {
  const side = (name: string, width: number, dash?: number[]): uPlot.Series => ({
    stroke: colour(name),
    width,
    ...(dash === undefined ? {} : { dash }),
    points: { show: false },
    paths: steps,
  });
  return {
    height: 150,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false }, y: { range: (_, __, most) => [0, (most || 1) * 1.1] } },
    axes: [
      // 75 pixels between labels, because costs such as $0.000275 need more than the default of 50.
      axis(colour, { space: 75, values: (_, values) => values.map((value) => figure(metric, value)) }),
      axis(colour, { values: (_, values) => values.map((value) => `${value} %`) }),
    ],
    series: [{}, side("side-a", 3), side("side-b", 2, [6, 4])],
  };
}

function steps(plot: uPlot, series: number, from: number, to: number): uPlot.Series.Paths {
  const stroke = new Path2D();
  const xs = plot.data[0];
  const ys = plot.data[series] ?? [];
  for (let at = from; at <= to; at++) {
    const y = plot.valToPos(ys[at] ?? 0, "y", true);
    const x = plot.valToPos(xs[at] ?? 0, "x", true);
    if (at === from) stroke.moveTo(x, y);
    else {
      stroke.lineTo(x, plot.valToPos(ys[at - 1] ?? 0, "y", true));
      stroke.lineTo(x, y);
    }
  }
  return { stroke };
}
