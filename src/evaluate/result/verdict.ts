import { derivedOnce } from "../../support/structures/bounded-memo.ts";
import { sha256 } from "../../support/structures/sha256.ts";
import type { AgentRun } from "../../model/run.ts";
import type { QueryMatch, Verdict } from "../../model/verdict.ts";
import type { CompiledQuery, CompiledSpec } from "../query/compiled.ts";
import type { Evaluation } from "../evaluate.ts";

export interface JudgedRun {
  /** Id of the verdict, if already computed. */
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
  /** Called judge models, each with the hash of its instructions: `model@promptHash`. */
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
 * Returns `<run id>-<16 hex digits>`: the digits are from the SHA-256 of spec name, spec hash and query id. All revisions, live and
 * replayed, have the same id. The id contains the whole run id, because hashes of ids that senders choose could collide.
 */
export function verdictId(run: AgentRun, spec: CompiledSpec, query: CompiledQuery): string {
  const ofSpec = marksOf(spec);
  let mark = ofSpec.get(query.id);
  if (mark === undefined) {
    mark = sha256([spec.name, spec.hash, query.id].join("\u0000")).slice(0, 16);
    ofSpec.set(query.id, mark);
  }
  // Creates a flat string. A concatenated string would retain its parts in memory.
  return [run.runId, mark].join("-");
}
