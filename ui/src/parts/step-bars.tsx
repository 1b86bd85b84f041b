import { time } from "../format.ts";

/** A step: its kind and name, its start and duration in milliseconds, and 1 if it failed (otherwise 0). */
type Bar = readonly [kind: string, name: string, startMs: number, durationMs: number, failed: number];

/** Steps on a time axis, from the start of the run to its end. */
export function StepBars({ steps, lengthMs }: { steps: readonly Bar[]; lengthMs: number }) {
  const end = Math.max(lengthMs, ...steps.map(([, , start, length]) => start + length), 1);
  const share = (ms: number): string => `${Math.max(0, Math.min(100, (100 * ms) / end)).toFixed(2)}%`;
  return (
    <ol class="step-bars" aria-label="Steps, from start to end">
      {steps.map(([kind, name, start, length, failed], at) => (
        <li key={at} class={failed === 1 ? "failed" : ""}>
          <span class={`kind ${kind}`}>{kind}</span>
          <span class="cut">
            {name}
            {failed === 1 && " (failed)"}
          </span>
          <span class="track" aria-hidden="true">
            <i
              class={`bar ${kind}${failed === 1 ? " error" : ""}`}
              style={{ left: share(start), width: share(length) }}
            />
          </span>
          <span class="num quiet">{time(length)}</span>
        </li>
      ))}
    </ol>
  );
}
