import { pageOf, type Advice, type Diagnosis } from "../../authoring/doctor/diagnosis.ts";

/** `doctor --format json`: one object. */
export function doctorJson(diagnosis: Diagnosis): object {
  return {
    format_version: 1,
    traces: diagnosis.traces,
    spans: diagnosis.spans,
    log_records: diagnosis.logRecords,
    spans_cut: diagnosis.cutSpans,
    runs: diagnosis.runs,
    complete_runs: diagnosis.completeRuns,
    tool_calls: diagnosis.toolCalls,
    handoffs: diagnosis.handoffs,
    dialects: diagnosis.dialects,
    producers: diagnosis.producers.map(({ scope, version, sdk, spans, dialects, known }) => ({
      scope,
      version: version === "" ? null : version,
      sdk: sdk === "" ? null : sdk,
      spans,
      dialects,
      name: known?.name ?? null,
      page: known === undefined ? null : pageOf(known.page),
    })),
    evidence: Object.fromEntries(
      diagnosis.evidence.map(({ name, have, of, unit, state }) => [name, { state, have, of, unit }]),
    ),
    advice: diagnosis.advice.map(adviceJson),
    limits: diagnosis.limits,
    specs: diagnosis.specs.map(({ spec, file, runs, checks }) => ({
      spec,
      file,
      runs,
      checks: checks.map((check) => ({ ...check, advice: check.advice.map(adviceJson) })),
    })),
  };
}

function adviceJson({ evidence, producer, set, page }: Advice): object {
  return { evidence, producer, set, page };
}
