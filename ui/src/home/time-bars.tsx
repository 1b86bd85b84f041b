import { counted, moments, number } from "../format.ts";
import { runsInRange } from "../parts/time-range.tsx";
import type { Outcome } from "../types.ts";
import { countsOf, type HomeData } from "./home-data.ts";

/** Outcomes above the axis, from bottom to top. Failures are below the axis. */
const above: readonly Outcome[] = ["pass", "warn", "incomplete", "skip"];
const below: readonly Outcome[] = ["fail", "error"];
const words: Readonly<Record<Outcome, string>> = {
  fail: "✗ failed",
  error: "! ended in an error",
  incomplete: "? not decided",
  warn: "▲ with a warning",
  pass: "✓ passed",
  skip: "– no checks",
};
const legend: readonly Outcome[] = ["fail", "error", "incomplete", "warn", "pass", "skip"];
const width = 860;
const height = 84;
const fewestBars = 3;

interface Bar {
  readonly atMs: number;
  readonly counts: Readonly<Partial<Record<Outcome, number>>>;
}

/** Verdicts over time: failures below the axis, all others above it. */
export function TimeBars({ data }: { data: HomeData }) {
  const counts = countsOf(data.queries);
  const bars = barsOf(data);
  return (
    <section class="panel timeline" aria-label="Verdicts over time">
      {bars.length >= fewestBars && <Bars bars={bars} />}
      <ul class="outcome-counts">
        {legend
          .filter((outcome) => (counts[outcome] ?? 0) > 0)
          .map((outcome) => (
            <li key={outcome}>
              <a href={runsInRange(`/runs?outcome=${outcome}`)}>
                <span class={`mark ${outcome}`}>{words[outcome]}</span>{" "}
                <strong>{number(counts[outcome] ?? 0)}</strong>
              </a>
            </li>
          ))}
      </ul>
    </section>
  );
}

function barsOf({ trend, sinceMs, untilMs, bucketMs }: HomeData): Bar[] {
  const first = Math.floor(sinceMs / bucketMs);
  const count = Math.min(400, Math.ceil(untilMs / bucketMs) - first);
  return Array.from({ length: count }, (_, at) => {
    const atMs = (first + at) * bucketMs;
    return { atMs, counts: countsOf(trend.filter(({ bucket_unix_ms: bucket }) => bucket === atMs)) };
  });
}

function Bars({ bars }: { bars: readonly Bar[] }) {
  const sum = ({ counts }: Bar, of: readonly Outcome[]): number =>
    of.reduce((all, outcome) => all + (counts[outcome] ?? 0), 0);
  const up = Math.max(1, ...bars.map((bar) => sum(bar, above)));
  const down = Math.max(...bars.map((bar) => sum(bar, below)));
  // The parts above and below the axis each have at least a fifth of the height, so that a few failures are visible next to many passes.
  const axis = down === 0 ? height - 2 : height * Math.min(0.8, Math.max(0.4, up / (up + down)));
  const step = width / bars.length;
  const [first, last] = [bars[0], bars.at(-1)];
  const failed = bars.reduce((all, bar) => all + sum(bar, below), 0);
  const total = failed + bars.reduce((all, bar) => all + sum(bar, above), 0);
  return (
    <figure>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${counted(total, "verdict")} over time, ${failed} of them failures`}
      >
        {bars.map((bar, at) => (
          <g key={bar.atMs} transform={`translate(${at * step + step * 0.06} 0)`}>
            <title>{`${moments(bar.atMs, bar.atMs, Date.now())}: ${sum(bar, above)} not failed, ${sum(bar, below)} failed`}</title>
            {stack(bar, above, axis / up).map(({ outcome, from, length }) => (
              <rect
                key={outcome}
                class={`bar-${outcome}`}
                y={axis - from - length}
                width={step * 0.88}
                height={length}
              />
            ))}
            {stack(bar, below, (height - axis) / Math.max(1, down)).map(({ outcome, from, length }) => (
              <rect
                key={outcome}
                class={`bar-${outcome}`}
                y={axis + from}
                width={step * 0.88}
                height={length}
              />
            ))}
          </g>
        ))}
        <path class="axis-line" d={`M0 ${axis}H${width}`} />
      </svg>
      <figcaption>
        <span>{first && moments(first.atMs, first.atMs, Date.now())}</span>
        <span>{last && moments(last.atMs, last.atMs, Date.now())}</span>
      </figcaption>
    </figure>
  );
}

function stack(
  { counts }: Bar,
  of: readonly Outcome[],
  scale: number,
): { outcome: Outcome; from: number; length: number }[] {
  let from = 0;
  return of.flatMap((outcome) => {
    const length = (counts[outcome] ?? 0) * scale;
    from += length;
    return length === 0 ? [] : [{ outcome, from: from - length, length }];
  });
}
