import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { recordingsBelow } from "../../../bench/data/real/recordings.ts";
import type { JsonValue } from "../../../src/model/json.ts";
import {
  type AssembledRun,
  differencesOfRuns,
  scoredFields,
  trueRunsOf,
} from "../../support/recorded-truth.ts";
import type { FieldScore, Miss, Score } from "./scorer.ts";

/**
 * Scores runs like `test/runs/recorded-fixtures.test.ts`. A field is not scored if `differences.json` says that the telemetry does not
 * contain it, unless the run has a wrong value for it.
 */
export function scoreByTruth(root: string, runsFile: string, only: RegExp): Score {
  const runsByRecording = readRuns(runsFile);
  const recordings = recordingsBelow([root]).filter(
    ({ name }) => only.test(name) && existsSync(join(root, name, "expected.json")),
  );
  const misses: Miss[] = [];
  const fields: Record<string, { right: number; scored: number }> = {};
  for (const { name } of recordings) {
    const folder = join(root, name);
    const truths = trueRunsOf(readFileSync(join(folder, "expected.json"), "utf8"));
    const runs = runsByRecording.get(name) ?? [];
    const differences =
      runs.length < truths.length
        ? scoredFields.map((field) => ({ field, truth: null, assembled: "no run" }))
        : differencesOfRuns(truths, runs);
    const wrong = new Map(differences.map((one) => [one.field, one] as const));
    const absent = fieldsNotIn(folder);
    for (const field of scoredFields) {
      const difference = wrong.get(field);
      const isAbsent = absent.has(field);
      if (isAbsent && isUnknown(difference?.assembled)) continue;
      const score = (fields[field] ??= { right: 0, scored: 0 });
      score.scored++;
      if (difference === undefined) score.right++;
      else
        misses.push({
          recording: name,
          field,
          state: isAbsent ? "absent" : "held",
          want: difference.truth,
          got: difference.assembled,
        });
    }
  }
  return { recordings: recordings.length, fields: fields satisfies Record<string, FieldScore>, misses };
}

function isUnknown(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.every(isUnknown));
}

/** Fields that a recording's telemetry does not contain. */
function fieldsNotIn(folder: string): ReadonlySet<string> {
  const file = join(dirname(folder), "differences.json");
  if (!existsSync(file)) return new Set();
  const known = JSON.parse(readFileSync(file, "utf8")) as Record<string, Record<string, string> | undefined>;
  const ofRecording = Object.entries(known[basename(folder)] ?? {});
  return new Set(ofRecording.filter(([, why]) => why !== "open").map(([field]) => field));
}

interface RunLine extends Pick<
  AssembledRun,
  "query" | "answer" | "agent" | "status" | "complete" | "models"
> {
  readonly recording: string;
  readonly final_agent: string | null;
  readonly llm_calls: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly cached_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly total_tokens: number | null;
  readonly response_models: readonly string[];
  readonly handoffs: AssembledRun["handoffs"];
  readonly tools: readonly (Omit<AssembledRun["tools"][number], "result"> & { readonly result: JsonValue })[];
}

function readRuns(file: string): ReadonlyMap<string, readonly AssembledRun[]> {
  const runs = new Map<string, AssembledRun[]>();
  for (const text of readFileSync(file, "utf8").split("\n")) {
    if (text === "") continue;
    const line = JSON.parse(text) as RunLine;
    const usage = {
      input: line.input_tokens,
      output: line.output_tokens,
      cached: line.cached_tokens,
      reasoning: line.reasoning_tokens,
    };
    const run = {
      ...line,
      finalAgent: line.final_agent,
      llmCalls: line.llm_calls,
      totalTokens: line.total_tokens,
      responseModels: line.response_models,
      usage,
    };
    runs.set(line.recording, [...(runs.get(line.recording) ?? []), run]);
  }
  return runs;
}
