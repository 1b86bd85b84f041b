import type { Reference } from "../../src/evaluate/checks/check.ts";
import { evaluateQuery } from "../../src/evaluate/evaluate.ts";
import { toVerdict } from "../../src/evaluate/result/verdict.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import type { CompiledSpec } from "../../src/evaluate/query/compiled.ts";
import { queryOf, type QueryText } from "./query-of.ts";
import { runOf, type RunText } from "./run-of.ts";

/** The verdict on a run by a query of the spec `rag-agent`, without judges. */
export function evaluated(query: QueryText, run: RunText, reference?: Reference): Verdict {
  const compiled = queryOf(query);
  const spec: CompiledSpec = {
    name: "rag-agent",
    file: "specs/rag-agent.yaml",
    hash: "0123456789ab",
    agent: "rag-agent",
    baselineDir: "baselines",
    baseline: undefined,
    judgeConfig: {},
    waivers: [],
    queries: [compiled],
  };
  const told = runOf(run);
  const options = {
    reference: reference ?? ({ missing: "not-asked", version: null } as const),
    judge: "off",
  } as const;
  const evaluation = evaluateQuery(told, compiled, options);
  const match = { how: "exact", score: 1 } as const;
  return toVerdict({ run: told, spec, query: compiled, match, evaluation, revision: 0, engine: "0.0.0" });
}
