import type { EvidenceCount } from "../../../authoring/doctor/evidence.ts";
import type { SeenProducer } from "../../../authoring/doctor/survey.ts";
import {
  pageOf,
  type Advice,
  type Diagnosis,
  type ServiceDiagnosis,
} from "../../../authoring/doctor/diagnosis.ts";

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
    producers: diagnosis.producers.map(producerJson),
    evidence: evidenceJson(diagnosis.evidence),
    advice: diagnosis.advice.map(adviceJson),
    limits: diagnosis.limits,
    services: diagnosis.services.map(serviceJson),
    instrumentations: diagnosis.instrumentations.map((one) => ({
      ...serviceJson(one),
      other_versions: one.otherVersions,
    })),
    specs: diagnosis.specs.map(({ spec, file, runs, checks }) => ({
      spec,
      file,
      runs,
      checks: checks.map((check) => ({ ...check, advice: check.advice.map(adviceJson) })),
    })),
  };
}

function serviceJson({ service, runs, producers, evidence, advice, limits }: ServiceDiagnosis): object {
  return {
    service,
    runs,
    producers: producers.map(producerJson),
    evidence: evidenceJson(evidence),
    advice: advice.map(adviceJson),
    limits,
  };
}

function producerJson({ scope, version, sdk, spans, logRecords, dialects, known }: SeenProducer): object {
  return {
    scope,
    version: version === "" ? null : version,
    sdk: sdk === "" ? null : sdk,
    spans,
    log_records: logRecords,
    dialects,
    name: known?.name ?? null,
    page: known === undefined ? null : pageOf(known.page),
  };
}

function evidenceJson(evidence: readonly EvidenceCount[]): object {
  return Object.fromEntries(
    evidence.map(({ name, have, of, unit, state }) => [name, { state, have, of, unit }]),
  );
}

function adviceJson({ evidence, producer, set, page }: Advice): object {
  return { evidence, producer, set, page };
}
