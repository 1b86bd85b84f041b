import { differenceJson } from "./diff-json.ts";
import { type GatedGroup, placeOf } from "../report/gated-groups.ts";
import { groupJson } from "./report-json.ts";
import type { ReportedRun, ReportedVerdict } from "../findings/reported.ts";
import type { TestResult } from "./result.ts";
import type { ResultJson } from "../../json/verdict-schema.ts";

/**
 * Yields the output of `test --format json` as pieces of text, because the whole text may be too long for
 * one string.
 */
export function* resultJsonText(result: TestResult): Generator<string> {
  const { version, specs, summary, agentCalls } = result;
  yield `{"format_version":1,"tool":${JSON.stringify({ name: "tracejury", version })}`;
  yield* list("specs", specs, ({ file, hash, agent }) => JSON.stringify({ file, hash, agent }));
  yield `,"summary":${JSON.stringify(summary)}`;
  yield* list("verdicts", result.verdicts, (one) => one.verdictText ?? JSON.stringify(one.verdict));
  const { gated = [] } = result;
  const gates = new Map(gated.map((gate) => [placeOf(gate.spec, gate.queryId), gate.reliability]));
  yield* list("missing", result.missing, ({ queryId, query, spec }) =>
    JSON.stringify({ query_id: queryId, query, spec, reliability: gates.get(placeOf(spec, queryId)) }),
  );
  yield* list("unmatched", result.unmatched, (run) => JSON.stringify({ ...head(run), reason: run.reason }));
  yield* list("ambiguous", result.ambiguous, (run) =>
    JSON.stringify({ ...head(run), candidates: run.candidates }),
  );
  yield* list("invalid_input", result.invalidInput, ({ file, line, reason }) =>
    JSON.stringify({ file, line, reason }),
  );
  const { notJudged } = result.tally;
  if (notJudged.length > 0) yield* list("not_judged", notJudged, (one) => JSON.stringify(one));
  if (agentCalls !== undefined) yield* list("agent_calls", agentCalls, (call) => JSON.stringify(call));
  if (result.judging !== undefined) yield `,"judging":${JSON.stringify(result.judging)}`;
  if (result.models !== undefined) yield `,"models":${JSON.stringify(result.models)}`;
  yield* baselineText(result);
  yield* list("groups", result.groups, (group) => JSON.stringify(gatedJson(group)));
  yield "}\n";
}

/** Yields a comma and a JSON property whose value is a list. */
function* list<Item>(name: string, items: Iterable<Item>, text: (item: Item) => string): Generator<string> {
  yield `,"${name}":[`;
  let before = "";
  for (const item of items) {
    yield `${before}${text(item)}`;
    before = ",";
  }
  yield "]";
}

/** Yields the JSON property with the comparison to saved runs. Yields nothing if no run was compared. */
function* baselineText({ verdicts, tally: { compared, regressed } }: TestResult): Generator<string> {
  if (compared === 0) return;
  yield `,"baseline":{"compared":${compared},"regressed":${regressed}`;
  yield* list("verdicts", comparedVerdicts(verdicts), (one) => JSON.stringify(one));
  yield* list("differences", differencesOf(verdicts), (difference) => JSON.stringify(difference));
  yield "}";
}

type Baseline = NonNullable<ResultJson["baseline"]>;
type ComparedVerdict = NonNullable<Baseline["verdicts"]>[number];

function* comparedVerdicts(verdicts: Iterable<ReportedVerdict>): Generator<ComparedVerdict> {
  for (const { verdict, compared } of verdicts) {
    if (compared === null) continue;
    const { version, variant, regressed, undecided } = compared;
    yield { verdict_id: verdict.verdict_id, version, variant, regressed, undecided };
  }
}

type DifferenceOfRun = Baseline["differences"][number];

function* differencesOf(verdicts: Iterable<ReportedVerdict>): Generator<DifferenceOfRun> {
  for (const { verdict, compared } of verdicts) {
    for (const difference of compared?.differences ?? []) {
      yield {
        spec: verdict.spec,
        query_id: verdict.query_id,
        run_id: verdict.run_id,
        version: compared?.version ?? "",
        variant: compared?.variant ?? 1,
        ...differenceJson(difference),
      };
    }
  }
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
