import { percent } from "../format.ts";
import type { Outcome } from "../types.ts";

interface RateProps {
  readonly rate: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Number of runs by outcome. A run with warnings counts as passed; the number of such runs is shown next to the rate. */
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** If true, the interval is only drawn, and its text is only for screen readers. */
  readonly isShort?: boolean;
}

/** A pass rate as a bar with its confidence interval. */
export function Rate({ rate, interval, outcomes, isShort = false }: RateProps) {
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
        {(outcomes.warn ?? 0) > 0 &&
          (isShort ? (
            <span class="mark warn short" title="with warnings">
              ▲ {outcomes.warn}
              <span class="hidden"> with warnings</span>
            </span>
          ) : (
            <span class="mark warn"> {outcomeWords(outcomes)}</span>
          ))}
      </span>
    </span>
  );
}

/** Returns a text such as `14 passed, 3 with warnings, 2 failed`. */
function outcomeWords({ pass = 0, warn = 0, fail = 0 }: RateProps["outcomes"]): string {
  return `${pass} passed, ${warn} with warnings, ${fail} failed`;
}
