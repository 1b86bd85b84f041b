import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { adapters } from "../../adapters/index.ts";
import { createAdapt } from "../../src/runs/fragment-reader.ts";
import { RunStitcher } from "../../src/runs/stitching/run-stitcher.ts";
import type { AgentRun } from "../../src/model/run.ts";
import { tracesOf } from "./json-spans.ts";

/**
 * Prints the runs of recordings as JSON lines in the shape of `inspect`, each with the recording's path, for scoring:
 * `node dist/test/support/score.js FOLDER [REGEX] > runs.jsonl`.
 */
const [folder = ".", only = ""] = process.argv.slice(2);
/** Dialects to do without, to see what is left when nobody knows them. */
const without = new Set((process.env["WITHOUT"] ?? "").split(","));
const adapt = createAdapt(adapters.filter(({ dialect }) => !without.has(dialect)));
const wanted = new RegExp(only);

for (const recording of recordings(folder, "")) {
  if (!wanted.test(recording)) continue;
  const traces = tracesOf(documents(join(folder, recording)));
  const joiner = new RunStitcher();
  for (const trace of traces) joiner.add(adapt(trace), 0);
  for (const run of joiner.drain()) process.stdout.write(`${JSON.stringify({ recording, ...shown(run) })}\n`);
}

function recordings(root: string, path: string): string[] {
  const names = readdirSync(join(root, path)).sort();
  if (names.includes("expected.json")) return [path];
  return names
    .filter((name) => statSync(join(root, path, name)).isDirectory())
    .flatMap((name) => recordings(root, path === "" ? name : `${path}/${name}`));
}

function documents(path: string): unknown[] {
  return ["traces.jsonl", "logs.jsonl"].flatMap((name) => {
    const file = join(path, name);
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as unknown);
  });
}

function shown(run: AgentRun): Record<string, unknown> {
  return {
    trace_id: run.traceId,
    run_id: run.runId,
    service: run.service,
    agent: run.agent,
    final_agent: run.finalAgent,
    conversation_id: run.conversationId,
    query: run.query,
    answer: run.answer,
    status: run.status,
    tools: run.tools.map((tool) => ({
      name: tool.name,
      arguments: tool.arguments,
      result: tool.result ?? null,
      error: tool.error,
      agent: tool.agent,
      call_id: tool.callId,
      executed: tool.executed,
      retried: tool.retried,
    })),
    handoffs: run.handoffs,
    llm_calls: run.llmCalls,
    llm: run.llm,
    input_tokens: run.usage.input,
    output_tokens: run.usage.output,
    cached_tokens: run.usage.cached,
    reasoning_tokens: run.usage.reasoning,
    total_tokens: run.totalTokens,
    models: run.models,
    response_models: run.responseModels,
    dialects: run.dialects,
    complete: run.complete,
    missing: run.missing,
  };
}
