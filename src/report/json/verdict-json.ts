import type {
  CheckResult,
  JudgeRecord,
  LayerResult,
  QueryMatch,
  SourcePosition,
  Verdict,
} from "../../model/verdict.ts";
import type { Playback } from "../../model/playback.ts";
import { derivedOnce, remembered } from "../../support/structures/bounded-memo.ts";
import { answerOf, toolsUsed } from "../statistics/observation.ts";
import { attributesJson } from "./run-json.ts";
import type { VerdictJson } from "./verdict-schema.ts";

export function verdictJson(verdict: Verdict): VerdictJson {
  return JSON.parse(verdictJsonText(verdict)) as VerdictJson;
}

/**
 * Returns a verdict as JSON text with unrounded values, for files, the store and `test --format json`. Most check results are equal in many
 * runs, so their JSON texts are cached; the text of a verdict is joined from such texts.
 */
export function verdictJsonText(verdict: Verdict): string {
  const { run, layers, match, row, provenance } = verdict;
  const head = JSON.stringify({
    query_id: verdict.queryId,
    query: run.query,
    spec: verdict.spec,
    agent: run.agent,
    trace_id: run.traceId,
    run_id: run.runId,
    service: run.service,
    start_unix_ms: run.startUnixMs,
    match: matchJson(match),
    verdict_id: verdict.verdictId,
    error: run.error,
    outcome: verdict.outcome,
    hard_fail: verdict.hardFail,
    expected_fail: verdict.expectedFail,
    row: row && { file: row.file, line: row.line },
    complete: run.complete,
    close_reason: run.closeReason,
    revision: verdict.revision,
    turn_run_ids: run.turns?.map(({ runId }) => runId),
    attributes: attributesJson(run.attributes),
    models: run.models,
    tools: toolsUsed(run),
    answer: answerOf(run),
  });
  const source = run.source ?? run.turns?.[0]?.source;
  const tail = JSON.stringify({
    provenance: {
      spec_hash: provenance.specHash,
      engine: provenance.engine,
      judge: provenance.judge,
      prices: provenance.prices,
    },
    source: source && { file: source.file, line: source.line },
    playback: run.playback && playbackJson(run.playback),
    sources: run.sources,
  });
  const { correctness, path, cost } = layers;
  const layersText = `{"correctness":${layerText(correctness)},"path":${layerText(path)},"cost":${layerText(cost)}}`;
  return `${head.slice(0, -1)},"layers":${layersText},"metrics":${metricsText(verdict.metrics)},${tail.slice(1)}`;
}

function playbackJson({ runId, effect, divergences }: Playback): VerdictJson["playback"] {
  return { run_id: runId, effect, divergences: divergences.map((one) => ({ ...one })) };
}

function matchJson({ how, score, unknownId }: QueryMatch): VerdictJson["match"] {
  return { how, score, ...(unknownId === undefined ? {} : { unknown_id: unknownId }) };
}

function layerText({ outcome, reason, checks }: LayerResult): string {
  const texts = checks.map(checkText).join(",");
  return `{"outcome":"${outcome}","reason":${JSON.stringify(reason)},"checks":[${texts}]}`;
}

interface WrittenCheck {
  readonly result: CheckResult;
  readonly text: string;
}

/** Maximum number of cached JSON texts for each check of a spec. At the maximum, the cache of the check is cleared. */
const MOST_WRITTEN = 32;
const writtenAt = derivedOnce<SourcePosition, Map<string, WrittenCheck>>(() => new Map());

function checkText(result: CheckResult): string {
  const { source, message } = result;
  if (source === null || !mayComeAgain(result)) return textOf(result);
  const written = writtenAt(source);
  const known = written.get(message);
  if (known !== undefined && isWrittenAlike(known.result, result)) return known.text;
  if (written.size >= MOST_WRITTEN) written.clear();
  const text = textOf(result);
  written.set(message, { result, text });
  return text;
}

/** Whether another run may give the same check result. A result with a span, reason, judge or turn is specific to one run. */
function mayComeAgain({ spanIds, reasons, judge, turn }: CheckResult): boolean {
  return spanIds.length === 0 && reasons === undefined && judge === null && turn === undefined;
}

/**
 * Whether two results of one check have the same JSON text, if their messages are equal. Values that are
 * objects count as equal only if they are the same object.
 */
function isWrittenAlike(one: CheckResult, other: CheckResult): boolean {
  return (
    one === other ||
    (Object.is(one.value, other.value) &&
      one.outcome === other.outcome &&
      one.limit === other.limit &&
      one.check === other.check &&
      one.metric === other.metric &&
      one.remedy === other.remedy &&
      one.missing === other.missing &&
      one.faults === other.faults &&
      one.waiver === other.waiver &&
      one.expectedFail === other.expectedFail)
  );
}

function textOf(result: CheckResult): string {
  const { judge } = result;
  return JSON.stringify({
    check: result.check,
    metric: result.metric,
    outcome: result.outcome,
    value: result.value,
    limit: result.limit,
    message: result.message,
    remedy: result.remedy,
    missing: result.missing,
    span_ids: result.spanIds,
    reasons: result.reasons,
    faults: result.faults,
    source: result.source,
    turn: result.turn,
    judge: judge && judgeJson(judge),
    waiver: result.waiver,
    expected_fail: result.expectedFail,
  });
}

function judgeJson(record: JudgeRecord): object {
  return {
    rubric: record.rubric,
    model: record.model,
    score: record.score,
    label: record.label,
    rationale: record.rationale,
    votes: record.votes.map(({ model, score, label, rationale, error }) => ({
      model,
      score,
      label,
      rationale,
      error,
    })),
    duration_ms: record.durationMs,
    cached: record.cached,
    prompt_hash: record.promptHash,
    first: record.first,
  };
}

const memberName = remembered((name) => `,${JSON.stringify(name)}:`);
const startsWithDigit = /^\d/;

function metricsText(metrics: Verdict["metrics"]): string {
  let text = "";
  for (const [name, value] of metrics) {
    // The text must equal that of `JSON.stringify`, which writes integer keys first. If the name of a metric starts with a digit,
    // `JSON.stringify` itself makes the text.
    if (startsWithDigit.test(name)) return JSON.stringify(Object.fromEntries(metrics));
    text += memberName(name) + (value === null || Number.isFinite(value) ? String(value) : "null");
  }
  return `{${text.slice(1)}}`;
}
