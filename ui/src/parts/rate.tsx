import { percent } from "../format.ts";

interface RateProps {
  readonly rate: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** The interval is drawn, and said to screen readers only. */
  readonly isShort?: boolean;
}

/** A pass rate as a bar, with the interval that the number of runs leaves open. */
export function Rate({ rate, interval, isShort = false }: RateProps) {
  if (rate === null || interval === null) return <span class="quiet">not decided</span>;
  return (
    <span class="rate">
      <span class="rate-bar" aria-hidden="true">
        <i class="part" style={{ width: `${rate * 100}%` }} />
        <i
          class="whisker"
          style={{ left: `${interval.low * 100}%`, width: `${(interval.high - interval.low) * 100}%` }}
        />
      </span>
      <span>
        <strong>{percent(rate)}</strong>{" "}
        <span class={isShort ? "hidden" : "quiet"}>
          {percent(interval.low)} – {percent(interval.high)}
        </span>
      </span>
    </span>
  );
}
