import { differenceJson } from "./diff-json.ts";
import type { GatedGroup } from "./gated-groups.ts";
import { groupJson } from "./report-json.ts";
import type { ReportedRun } from "./reported.ts";
import type { ReportedCall } from "./reported-call.ts";
import type { TestResult } from "./result.ts";
import type { ResultJson } from "./verdict-schema.ts";

/** The text of the object below, in pieces: of very many verdicts no text is ever whole. */
export function* resultJsonText(result: TestResult): Generator<string> {
  let before = "{";
  for (const [key, value] of Object.entries(resultJson(result))) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    before = ",";
    if (Array.isArray(value)) yield* listText(value);
    else yield JSON.stringify(value);
  }
  yield "}\n";
}

function* listText(items: readonly unknown[]): Generator<string> {
  yield "[";
  for (const [at, item] of items.entries()) yield `${at === 0 ? "" : ","}${JSON.stringify(item)}`;
  yield "]";
}

/** What `test --format json` writes: one object, keys in the documented order. */
export function resultJson(result: TestResult): ResultJson {
  return {
    format_version: 1,
    tool: { name: "tracejury", version: result.version },
    specs: result.specs.map(({ file, hash, agent }) => ({ file, hash, agent })),
    summary: result.summary,
    verdicts: result.verdicts.map(({ verdict }) => verdict),
    missing: result.missing.map(({ queryId, query, spec }) => ({ query_id: queryId, query, spec })),
    unmatched: result.unmatched.map((run) => ({ ...head(run), reason: run.reason })),
    ambiguous: result.ambiguous.map((run) => ({ ...head(run), candidates: [...run.candidates] })),
    invalid_input: result.invalidInput.map(({ file, line, reason }) => ({ file, line, reason })),
    ...(result.agentCalls === undefined ? {} : { agent_calls: result.agentCalls.map(callJson) }),
    ...baselinePart(result),
    groups: result.groups.map(gatedJson),
  };
}

function baselinePart({ verdicts }: TestResult): Pick<ResultJson, "baseline"> {
  const compared = verdicts.flatMap(({ verdict, compared: found }) =>
    found === null ? [] : [{ verdict, found }],
  );
  if (compared.length === 0) return {};
  return {
    baseline: {
      compared: compared.length,
      regressed: compared.filter(({ found }) => found.regressed).length,
      differences: compared.flatMap(({ verdict, found }) =>
        found.differences.map((difference) => ({
          spec: verdict.spec,
          query_id: verdict.query_id,
          run_id: verdict.run_id,
          version: found.version,
          variant: found.variant,
          ...differenceJson(difference),
        })),
      ),
    },
  };
}

function callJson(call: ReportedCall): NonNullable<ResultJson["agent_calls"]>[number] {
  return {
    spec: call.spec,
    query_id: call.queryId,
    query: call.query,
    run: call.run,
    outcome: call.outcome,
    exit_code: call.exitCode,
    signal: call.signal,
    duration_ms: call.durationMs,
    requests: call.requests,
    spans: call.spans,
    run_ids: [...call.runIds],
    reason: call.reason,
    hint: call.hint,
    folder: call.folder,
  };
}

function gatedJson({ spec, queryId, reliability, report }: GatedGroup): ResultJson["groups"][number] {
  return { spec, query_id: queryId, reliability, ...groupJson(report) } as ResultJson["groups"][number];
}

function head({ traceId, runId, query }: ReportedRun): {
  trace_id: string;
  run_id: string;
  query: string | null;
} {
  return { trace_id: traceId, run_id: runId, query };
}
