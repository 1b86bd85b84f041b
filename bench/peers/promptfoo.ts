import { type Expected, MAX_LATENCY_MS, type Said } from "./expectations.ts";
import type { Recording } from "./recordings.ts";

/**
 * A configuration with one test for each recording: an agent is asked over HTTP, and its spans are received at `port`. Without tools the
 * sequence cannot be asked for, but that there is no step of a tool.
 */
export function configOf(
  recordings: readonly Recording[],
  expected: readonly Expected[],
  { url, port }: { readonly url: string; readonly port: number },
): string {
  const of = new Map(expected.map((one) => [one.query, one]));
  const tests = recordings.map(({ name, query }) => ({
    vars: { query, name },
    assert: assertionsOf(of.get(query)),
  }));
  const provider = {
    id: `${url}/{{name}}`,
    config: {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: { query: "{{prompt}}" },
      transformResponse: "json.answer",
    },
  };
  const tracing = { enabled: true, otlp: { http: { enabled: true, host: "127.0.0.1", port } } };
  return JSON.stringify({ prompts: ["{{query}}"], providers: [provider], tracing, tests });
}

function assertionsOf(expected: Expected | undefined): object[] {
  if (expected === undefined) return [];
  const { answer, tools } = expected;
  const steps = tools.map(({ name }) => name);
  const sequence =
    steps.length === 0
      ? { type: "trajectory:step-count", value: { type: "tool", max: 0 } }
      : { type: "trajectory:tool-sequence", value: { mode: "exact", steps } };
  const called = tools.map((call) => ({
    type: "trajectory:tool-args-match",
    value: { name: call.name, args: call.arguments, mode: "exact" },
  }));
  const latency = { type: "latency", threshold: MAX_LATENCY_MS };
  return [{ type: "icontains", value: answer }, sequence, ...called, latency];
}

export function evalPromptfoo(program: string, config: string, output: string): string[] {
  const quiet = ["--no-cache", "--no-table", "--no-progress-bar", "--no-share"];
  return [program, "eval", "-c", config, "-o", output, "-j", "4", ...quiet];
}

interface Output {
  readonly results: {
    readonly results: readonly {
      readonly success: boolean;
      readonly error?: string | null;
      readonly vars: { readonly name: string };
      readonly gradingResult?: { readonly pass: boolean } | null;
    }[];
  };
}

/** By the names of recordings; a test that could not be graded is neither. */
export function saidByPromptfoo(output: string): Said {
  const passed = new Set<string>();
  const failed = new Set<string>();
  for (const { success, vars, gradingResult } of (JSON.parse(output) as Output).results.results) {
    if (success) passed.add(vars.name);
    else if (gradingResult?.pass === false) failed.add(vars.name);
  }
  return { passed, failed };
}
