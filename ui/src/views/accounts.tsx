import type { ComponentChildren } from "preact";
import { counted } from "../format.ts";
import { type Reading, refusedRequests, sumOf } from "../home/collector-status.ts";

/** Sentences about the telemetry that was received, evaluated, refused and lost since the start of the collector. */
export function Accounts({ reading }: { reading: Reading }) {
  const { status, samples } = reading;
  const sum = (name: string, label?: string, value?: string): number =>
    sumOf(samples, name, (labels) => label === undefined || labels[label] === value);
  const spans = sum("tracejury_receiver_accepted_spans_total");
  const refused = refusedRequests(samples);
  const refusedCount = refused.reduce((all, { requests }) => all + requests, 0);
  const { expired = 0, finished = 0, late = 0, duplicate = 0, released = 0 } = status.spans;
  const leftOut = sum("tracejury_store_left_out_total") + (status.store?.["left_out"] ?? 0);
  const verdicts = sum("tracejury_verdicts_total");
  const undecided =
    sum("tracejury_verdicts_total", "outcome", "incomplete") +
    sum("tracejury_verdicts_total", "outcome", "error");
  const unjudged = sum("tracejury_runs_unjudged_total");
  const damage = status.damage ?? [];
  return (
    <>
      <div class="headline">
        <h1>
          {headline({
            isReady: status.ready,
            refused: refusedCount,
            tooLate: expired,
            leftOut,
            damage: damage.length,
          })}
        </h1>
        <p class="quiet">since the start</p>
      </div>
      <section class="panel" aria-label="Accounts">
        <ul class="facts-list">
          {!status.ready && <Line state="fail">Not ready: {status.reasons.join("; ")}.</Line>}
          <Line state={spans > 0 ? "pass" : "none"}>
            <strong>{counted(spans, "span")} received.</strong>{" "}
            {duplicate > 0 && `${counted(duplicate, "span")} arrived twice and are counted once. `}
            {finished > 0 &&
              `${counted(finished, "span")} of finished traces were read again after a restart; they were counted before it. `}
            {counted(status.open_traces, "trace")} {status.open_traces === 1 ? "is" : "are"} open.
          </Line>
          <Line state={refusedCount === 0 ? "pass" : "fail"}>
            <strong>{counted(refusedCount, "request")} refused.</strong>{" "}
            {refused.map(({ why, requests }) => `${why}: ${requests}`).join("; ")}
          </Line>
          <Line state={verdicts > 0 ? "pass" : "none"}>
            <strong>{counted(verdicts, "verdict")} made</strong> of {counted(released, "span")} in closed
            traces.{" "}
            {unjudged > 0 && (
              <>
                <a href="/runs?outcome=none">
                  {counted(unjudged, "run")} matched no query, or several queries
                </a>
                .
              </>
            )}
          </Line>
          <Line state={verdicts === 0 ? "none" : undecided === 0 ? "pass" : "incomplete"}>
            <strong>
              {verdicts === 0 ? (
                "No verdicts yet."
              ) : undecided === 0 ? (
                "Every verdict could be decided."
              ) : (
                <a href="/runs?outcome=incomplete">{counted(undecided, "verdict")} could not be decided.</a>
              )}
            </strong>{" "}
            {undecided > 0 && "Missing evidence and its settings are listed below."}
          </Line>
          <Line state={expired === 0 ? "pass" : "fail"}>
            <strong>{counted(expired, "span")} arrived too late to be judged.</strong>{" "}
            {expired > 0 &&
              "Their traces were already released; a longer assemble.late_window retains them. "}
            {late > 0 && `${counted(late, "span")} arrived late and were judged again with their run.`}
          </Line>
          <Line state={leftOut === 0 ? "pass" : "fail"}>
            <strong>{counted(leftOut, "run")} not stored, because the store was full.</strong>{" "}
            {leftOut > 0 && "Their verdicts were still sent."}
          </Line>
          {damage.map((text) => (
            <Line key={text} state="fail">
              <strong>Damage:</strong> {text}
            </Line>
          ))}
        </ul>
      </section>
    </>
  );
}

interface Figures {
  readonly isReady: boolean;
  readonly refused: number;
  readonly tooLate: number;
  readonly leftOut: number;
  readonly damage: number;
}

function headline({ isReady, refused, tooLate, leftOut, damage }: Figures): string {
  if (damage > 0) return "Damage was found on the disk; the collector still receives telemetry";
  if (!isReady) return "The collector is not ready";
  if (tooLate > 0) return "Some spans arrived too late to be judged";
  if (leftOut > 0) return "Some runs were judged but not stored";
  return refused > 0
    ? "Nothing was lost, but some requests were refused"
    : "Nothing was refused, nothing was lost";
}

type State = "pass" | "fail" | "incomplete" | "none";
const marks: Readonly<Record<State, string>> = { pass: "✓", fail: "✗", incomplete: "?", none: "○" };

function Line({ state, children }: { state: State; children: ComponentChildren }) {
  return (
    <li>
      <span class={`mark ${state}`} aria-hidden="true">
        {marks[state]}
      </span>
      <p>{children}</p>
    </li>
  );
}
