import type { JsonValue } from "../../src/model/json.ts";
import { type Layer, layers } from "../../src/model/outcome.ts";
import type { Reference } from "../../src/evaluate/checks/check.ts";
import type { Preset } from "../../src/evaluate/metrics/match-mode.ts";
import { checkOf } from "../../src/evaluate/checks/registry.ts";
import type { BoundCheck, CompiledQuery } from "../../src/evaluate/query/compiled.ts";

type LayerText = Readonly<Record<string, JsonValue>>;

/** A query of a spec. Checks get source lines: line 10 for the first key, and one more for each further key. */
export interface QueryText {
  readonly id?: string;
  readonly text?: string;
  readonly correctness?: LayerText;
  readonly path?: LayerText;
  readonly cost?: LayerText;
  readonly severity?: Readonly<Record<string, "fail" | "warn">>;
  readonly preset?: Preset;
}

/** Compiles a query without a file. Throws if a check does not exist or its schema refuses the limit. */
export function queryOf(text: QueryText): CompiledQuery {
  const settings = { correctness: {}, path: {}, cost: {} } as Record<Layer, LayerText>;
  const bound: BoundCheck[] = [];
  for (const layer of layers) {
    settings[layer] = text[layer] ?? {};
    for (const [key, limit] of Object.entries(settings[layer])) {
      const check = checkOf(key);
      if (check === undefined || check.layer !== layer) throw new Error(`${layer} has no check ${key}`);
      check.limit.parse(limit);
      const severity = text.severity?.[key] ?? text.severity?.[layer];
      bound.push({
        check,
        limit,
        source: { file: "spec.yaml", line: 10 + bound.length, column: 5 },
        itemSources: [],
        severity,
      });
    }
  }
  return {
    id: text.id ?? "where-is-my-order",
    text: text.text ?? "Where is my order?",
    description: undefined,
    tags: [],
    match: { pattern: undefined, similarity: undefined, where: new Map() },
    scope: "run",
    turns: [],
    reliability: undefined,
    scoring: undefined,
    retrieval: undefined,
    spans: [],
    expectedFail: undefined,
    written: {},
    checks: bound,
    settings,
    source: { file: "spec.yaml", line: 5, column: 3 },
    ...(text.preset === undefined ? {} : { preset: text.preset }),
  };
}

/** Values of a baseline's run; the baseline is named v1. */
export function referenceOf(fields: Partial<Reference> = {}): Reference {
  return {
    version: "v1",
    tools: [],
    costUsd: null,
    totalTokens: null,
    llmCalls: null,
    latencyMs: null,
    answer: null,
    ...fields,
  };
}
