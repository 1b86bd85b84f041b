import type { Divergence, Playback } from "../../model/playback.ts";
import { byLayer, layers } from "../../model/outcome.ts";
import type { AgentRun } from "../../model/run.ts";
import type { CheckResult } from "../../model/verdict.ts";
import type { CompiledQuery } from "../query/compiled.ts";
import type { Evaluation } from "../evaluate.ts";
import { layerResult, verdictOutcome } from "./layer-result.ts";

const STATUS = "run_status";
const LATENCY = "latency_ms";
const withModel =
  "Run this query with the model: --on-divergence live, or --models live. Then record it again.";

/**
 * Adjusts the evaluation of a run whose model answers were played back from a recording. `max_latency_ms` is skipped; tokens and cost are
 * those of the recording. `run_status` reports requests that differ from the recording. If the playback is incomplete, no check passes, and
 * a check fails only if its violation does not depend on the model's answers. If a tool returned another result than recorded, checks that
 * compare the answer with results are skipped.
 */
export function playedBack(evaluation: Evaluation, query: CompiledQuery, run: AgentRun): Evaluation {
  const { playback } = run;
  if (playback === undefined) return evaluation;
  const hasStatus = evaluation.layers.correctness.checks.some(({ check }) => check === STATUS);
  const own = byLayer((layer) =>
    layerResult(
      evaluation.layers[layer].checks.map((result) => adjusted(result, query, playback, hasStatus)),
    ),
  );
  const isDecided = run.complete && playback.effect !== "incomplete";
  const isHard = evaluation.hardFail && layers.some((layer) => own[layer].outcome === "fail");
  return {
    ...evaluation,
    layers: own,
    outcome: verdictOutcome(own, isDecided),
    hardFail: isHard || own.correctness.outcome === "fail",
  };
}

/** Whether a tool returned another result than recorded. The recorded answer then does not belong to the tool's result. */
function hasOtherResults({ divergences }: Playback): boolean {
  return divergences.some(({ what }) => what.startsWith("result of "));
}

function adjusted(
  result: CheckResult,
  query: CompiledQuery,
  playback: Playback,
  hasStatus: boolean,
): CheckResult {
  const { metric, outcome, layer } = result;
  if (metric === LATENCY && outcome !== "error")
    return {
      ...skipped(result),
      message: "the model's answers were recorded, so the measured time is not the model's time",
    };
  const { effect } = playback;
  if (result.check === STATUS && effect !== "none" && (outcome !== "fail" || effect === "incomplete"))
    return statusOf(result, playback);
  if (effect === "incomplete" && !isSettled(result, query)) return undecided(result, playback, hasStatus);
  if (effect === "none" || result.check === STATUS) return layer === "cost" ? marked(result) : result;
  if (hasOtherResults(playback) && comparesResults(result, query) && outcome !== "error")
    return {
      ...skipped(result),
      message: "not compared: the recorded answer is based on another tool result than this run has",
    };
  if (layer === "correctness" && (outcome === "pass" || outcome === "warn" || outcome === "fail"))
    return { ...result, message: `${result.message} (recorded answer)` };
  return layer === "cost" ? marked(result) : result;
}

/** Whether a check compares texts of the model with tool results. */
function comparesResults({ check: key }: CheckResult, { checks }: CompiledQuery): boolean {
  const check = checks.find((bound) => bound.check.key === key)?.check;
  return check?.comparesResults === true;
}

function skipped({ faults: _faults, reasons: _reasons, ...result }: CheckResult): CheckResult {
  return { ...result, outcome: "skip", value: null, remedy: null, missing: [] };
}

/** Whether playback leaves a check result unchanged: the check was not decided, or other model answers could not change the result. */
function isSettled({ check, layer, outcome }: CheckResult, { checks }: CompiledQuery): boolean {
  if (outcome === "skip" || outcome === "error" || outcome === "incomplete") return true;
  if (layer !== "path" || outcome === "pass") return false;
  return checks.find((bound) => bound.check.key === check)?.check.undoable === false;
}

/**
 * Returns the result of a check as `incomplete`, because a playback with differing requests cannot decide the check.
 * @param hasStatus whether `run_status` reports the difference
 */
function undecided(
  { faults: _faults, reasons: _reasons, ...result }: CheckResult,
  playback: Playback,
  hasStatus: boolean,
): CheckResult {
  return {
    ...result,
    outcome: "incomplete",
    message: `${hasStatus ? "" : `${differs(playback)}; `}${recordedMessage(result)}`,
    remedy: hasStatus ? "See run_status." : (playback.remedy ?? withModel),
    missing: ["model"],
  };
}

function recordedMessage({ message }: Pick<CheckResult, "message">): string {
  return `with the recorded answers: ${message}`;
}

function statusOf(result: CheckResult, playback: Playback): CheckResult {
  const { effect, divergences } = playback;
  if (effect === "none") return result;
  return {
    ...result,
    outcome: effect,
    message: `${differs(playback)}: ${divergences.map(sentence).join("; ")}${result.outcome === "fail" ? `; ${recordedMessage(result)}` : ""}`,
    remedy: effect === "incomplete" ? (playback.remedy ?? withModel) : null,
    missing: effect === "incomplete" ? ["model"] : [],
    ...(effect === "incomplete" ? {} : { faults: divergences.map(({ what }) => what) }),
  };
}

function differs({ effect }: Playback): string {
  const base = "the agent's requests differ from the recording";
  return effect === "warn" ? `${base}; the agent got the recorded answers` : base;
}

/** Describes in one line how a request of the agent differs from the recorded request. */
export function sentence({ call, what, where, diff }: Divergence): string {
  const place = [what, where].filter((part) => part !== "").join(", ");
  return `${call === null ? "" : `call ${call}: `}${place}: ${diff}`;
}

function marked(result: CheckResult): CheckResult {
  return result.value === null || result.outcome === "skip"
    ? result
    : { ...result, message: `${result.message} (recorded)` };
}
