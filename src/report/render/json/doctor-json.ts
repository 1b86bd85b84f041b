import { z } from "zod";
import { pageOf, type Diagnosis, type ServiceDiagnosis } from "../../../authoring/doctor/diagnosis.ts";
import { snakeCased } from "../../json/snake-case.ts";

const count = z.number();
const advice = z.object({
  evidence: z.array(z.string()),
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
  needs: z.array(z.string()),
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
const limit = z.object({ what: z.string(), producer: z.string(), why: z.string() });
const instrumentation = z.object({
  service: z.string().nullable(),
  runs: count,
  producers: z.array(producer),
  evidence: z.record(z.string(), evidence),
  advice: z.array(advice),
  limits: z.array(limit),
  other_versions: z.array(z.object({ evidence: z.string(), version: z.string(), have: count, of: count })),
});

/** Schema of the output of `doctor --format json`, as far as the console output needs it. */
export const doctorSchema = z.object({
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

export type DoctorJson = z.infer<typeof doctorSchema>;

/** Returns a diagnosis, as `doctor --format json` writes it. */
export function doctorJson(diagnosis: Diagnosis) {
  return {
    format_version: 1 as const,
    ...snakeCased({
      ...withNames(diagnosis),
      services: diagnosis.services.map(withNames),
      instrumentations: diagnosis.instrumentations.map(withNames),
    }),
  };
}

function withNames<Group extends Pick<ServiceDiagnosis, "producers" | "evidence">>(group: Group) {
  return {
    ...group,
    producers: group.producers.map(({ version, sdk, known, ...producer }) => ({
      scope: producer.scope,
      version: version === "" ? null : version,
      sdk: sdk === "" ? null : sdk,
      spans: producer.spans,
      logRecords: producer.logRecords,
      dialects: producer.dialects,
      name: known?.name ?? null,
      page: known === undefined ? null : pageOf(known.page),
    })),
    evidence: new Map(
      group.evidence.map(({ name, have, of, unit, state }) => [name, { state, have, of, unit }] as const),
    ),
  };
}
