import type { JsonValue } from "../../src/model/json.ts";
import type { MatchedRun } from "../../src/match/matcher.ts";
import type { CompiledQuery, CompiledSpec } from "../../src/evaluate/query/compiled.ts";

const source = { file: "demo.yaml", line: 1, column: 1 };

export interface SampleQuery {
  readonly id?: string;
  readonly text: string;
  readonly pattern?: string;
  readonly similarity?: number;
  readonly where?: Readonly<Record<string, JsonValue>>;
  readonly tags?: readonly string[];
}

export function sampleSpec(queries: readonly SampleQuery[], agent = "*"): CompiledSpec {
  return {
    name: "demo",
    file: "demo.yaml",
    hash: "0123456789ab",
    agent,
    baselineDir: "./baselines",
    baseline: undefined,
    judgeConfig: {},
    waivers: [],
    queries: queries.map((query, index) => sampleQuery(query, index)),
  };
}

function sampleQuery(
  { id, text, pattern, similarity, where, tags }: SampleQuery,
  index: number,
): CompiledQuery {
  return {
    id: id ?? `q${index}`,
    text,
    description: undefined,
    tags: tags ?? [],
    match: { pattern, similarity, where: new Map(Object.entries(where ?? {})) },
    scope: "run",
    turns: [],
    reliability: undefined,
    scoring: undefined,
    retrieval: undefined,
    spans: [],
    expectedFail: undefined,
    written: {},
    checks: [],
    settings: { correctness: {}, path: {}, cost: {} },
    source,
  };
}

export function sampleRun(
  query: string | null,
  attributes: Readonly<Record<string, JsonValue>> = {},
  agent: string | null = "demo-agent",
  service: string | null = "demo-service",
): MatchedRun {
  return { query, agent, service, attributes: new Map(Object.entries(attributes)) };
}
