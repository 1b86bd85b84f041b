import { z } from "zod";
import type { EvidenceCount, EvidenceName } from "../../../authoring/doctor/evidence.ts";
import type { ShownDiagnosis, ShownProducer } from "../commands/doctor-console.ts";

const count = z.number();
const advice = z.object({
  evidence: z.array(z.custom<EvidenceName>((value) => typeof value === "string")),
  producer: z.string(),
  set: z.string(),
  page: z.string(),
});
const check = z.object({
  check: z.string(),
  layer: z.enum(["correctness", "path", "cost"]),
  queries: z.array(z.string()),
  support: z.enum(["supported", "partly", "unsupported", "not_seen", "needs_reference"]),
  decided: count,
  asked: count,
  needs: z.array(z.custom<EvidenceName>((value) => typeof value === "string")),
  missing: z.array(z.string()),
  remedy: z.string().nullable(),
  judge: z.boolean(),
  advice: z.array(advice),
});
const evidence = z.object({
  state: z.enum(["present", "partial", "absent", "not_seen"]),
  have: count,
  of: count,
  unit: z.enum(["run", "tool call", "model call", "retrieval"]),
});
const producer = z.object({
  scope: z.string(),
  version: z.string().nullable(),
  sdk: z.string().nullable(),
  spans: count,
  log_records: count.default(0),
  dialects: z.array(z.string()),
  name: z.string().nullable(),
});
const limit = z.object({ what: advice.shape.evidence.element, producer: z.string(), why: z.string() });
const instrumentation = z.object({
  service: z.string().nullable(),
  runs: count,
  producers: z.array(producer),
  evidence: z.record(z.string(), evidence),
  advice: z.array(advice),
  limits: z.array(limit),
  other_versions: z.array(
    z.object({ evidence: limit.shape.what, version: z.string(), have: count, of: count }),
  ),
});

const document = z.object({
  format_version: z.literal(1),
  traces: count,
  spans: count,
  log_records: count,
  spans_cut: count,
  runs: count,
  complete_runs: count,
  tool_calls: count,
  handoffs: count,
  dialects: z.array(z.string()),
  producers: z.array(producer),
  evidence: z.record(z.string(), evidence),
  advice: z.array(advice),
  limits: z.array(limit),
  instrumentations: z.array(instrumentation).default([]),
  specs: z.array(z.object({ spec: z.string(), file: z.string(), runs: count, checks: z.array(check) })),
});

/**
 * Parses output of `doctorJson` from another process.
 * @throws ZodError if the value has another form
 */
export function parseDoctorJson(value: unknown): ShownDiagnosis {
  const read = document.parse(value);
  return {
    traces: read.traces,
    spans: read.spans,
    logRecords: read.log_records,
    cutSpans: read.spans_cut,
    runs: read.runs,
    completeRuns: read.complete_runs,
    toolCalls: read.tool_calls,
    handoffs: read.handoffs,
    dialects: read.dialects,
    producers: read.producers.map(shownProducer),
    evidence: evidenceCounts(read.evidence),
    advice: read.advice,
    limits: read.limits,
    instrumentations: read.instrumentations.map(({ producers, other_versions: otherVersions, ...one }) => ({
      ...one,
      producers: producers.map(shownProducer),
      evidence: evidenceCounts(one.evidence),
      otherVersions,
    })),
    specs: read.specs,
  };
}

function shownProducer({
  version,
  sdk,
  name,
  log_records: logRecords,
  ...rest
}: z.infer<typeof producer>): ShownProducer {
  return {
    ...rest,
    logRecords,
    version: version ?? "",
    sdk: sdk ?? "",
    known: name === null ? undefined : { name },
  };
}

function evidenceCounts(
  counts: Readonly<Record<string, z.infer<typeof evidence>>>,
): readonly EvidenceCount[] {
  return Object.entries(counts).map(([name, one]) => ({ name: name as EvidenceName, ...one }));
}
