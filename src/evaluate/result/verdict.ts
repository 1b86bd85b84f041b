import { derivedOnce } from "../../support/structures/bounded-memo.ts";
import { sha256 } from "../../support/structures/sha256.ts";
import type { AgentRun } from "../../model/run.ts";
import type { QueryMatch, Verdict } from "../../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../query/compiled.ts";
import type { Evaluation } from "../evaluate.ts";

export interface JudgedRun {
  /** Id of the verdict, if the caller has computed it before. */
  readonly verdictId?: string;
  readonly run: AgentRun;
  readonly spec: CompiledSpec;
  readonly query: CompiledQuery;
  readonly match: QueryMatch;
  readonly evaluation: Evaluation;
  /** Number of the verdict's revision, from 1. */
  readonly revision: number;
  /** Version of Tracejury. */
  readonly engine: string;
  /** Judge models that were called, each with the hash of its instructions. */
  readonly judge?: readonly string[];
}

/** Builds the verdict of one run against one query. */
export function toVerdict(judged: JudgedRun): Verdict {
  const { run, spec, query, match, evaluation, revision, engine, judge = [] } = judged;
  return {
    verdictId: judged.verdictId ?? verdictId(run, spec, query),
    revision,
    spec: spec.name,
    specAgent: spec.agent,
    queryId: query.id,
    match,
    run,
    outcome: evaluation.outcome,
    hardFail: evaluation.hardFail,
    ...(query.expectedFail === undefined ? {} : { expectedFail: true }),
    ...(query.row === undefined ? {} : { row: query.row }),
    layers: evaluation.layers,
    metrics: evaluation.metrics,
    provenance: { specHash: spec.hash, engine, judge, prices: run.priceSource },
  };
}

const marksOf = derivedOnce<CompiledSpec, Map<string, string>>(() => new Map());

/**
 * Returns `<run id>-<16 hex digits of the SHA-256 of spec name, spec hash and query id>`. The id is the same
 * for all revisions, live and replayed. The id contains the whole run id, so that two runs cannot share a
 * verdict; a hash of ids that senders choose could collide.
 */
export function verdictId(run: AgentRun, spec: CompiledSpec, query: CompiledQuery): string {
  const ofSpec = marksOf(spec);
  let mark = ofSpec.get(query.id);
  if (mark === undefined) {
    mark = sha256([spec.name, spec.hash, query.id].join("\u0000")).slice(0, 16);
    ofSpec.set(query.id, mark);
  }
  // Creates a flat string, because a concatenated string would retain its parts in memory.
  return [run.runId, mark].join("-");
}
