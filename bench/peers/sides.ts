import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Program, runWhole, testing, type Took } from "../harness/whole-process.ts";
import { freePort } from "../../test/support/free-port.ts";
import { RecordedAgent } from "./agent.ts";
import { type Call, dumpOf, firstOfEach, type Recording } from "./recordings.ts";

/** `wrong` expects one tool call more than was made, so that every run should fail. */
export type Kind = "true" | "wrong";

/** The cost of one evaluation, and the runs that passed and failed, by trace id or name. All other runs were not evaluated. */
export interface Judged {
  readonly took: Took;
  readonly passed: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

/** Evaluates recordings, from a dump or by sending queries to the replaying agent. */
export type Side = (recordings: readonly Recording[], kind: Kind, home: string) => Promise<Judged>;

interface Expected {
  readonly id: string;
  readonly query: string;
  readonly answer: string;
  readonly tools: readonly Call[];
}

/** Longer than any recording. */
const MAX_LATENCY_MS = 600_000;

/** The expectations for each query; all programs get the same. */
function expectationsOf(recordings: readonly Recording[], kind: Kind): readonly Expected[] {
  return firstOfEach(recordings).map(({ query, answer, tools }, at) => ({
    id: `q${at}`,
    query,
    answer,
    tools: kind === "true" ? tools : [...tools, { name: "tool_nobody_has", arguments: {} }],
  }));
}

function written(home: string, name: string, content: string | object): string {
  const path = join(home, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

/** A spec (JSON is valid YAML) that checks the answer, the tool calls with arguments and order, and the latency. */
function specOf(expected: readonly Expected[]): object {
  const queries = expected.map(({ id, query, answer, tools }) => ({
    id,
    query,
    correctness: { expected_in_answer: [answer] },
    path: {
      expected_tool_sequence: tools.map(({ name }) => name),
      sequence_mode: "strict",
      expected_tool_calls: tools,
    },
    cost: { max_latency_ms: MAX_LATENCY_MS },
  }));
  return { version: 1, agent: "*", severity: { path: "fail", cost: "fail" }, queries };
}

function judgedByUs(took: Took): Judged {
  const { verdicts } = JSON.parse(took.stdout) as { verdicts: { trace_id: string; outcome: string }[] };
  const having = (outcome: string) =>
    new Set(verdicts.filter((one) => one.outcome === outcome).map((one) => one.trace_id));
  return { took, passed: having("pass"), failed: having("fail") };
}

/** `tracejury test` on a dump with this number of runs; without a number, on each recording once. */
export function ours(runs?: number): Side {
  return async (recordings, kind, home) => {
    const dump = written(home, "dump.jsonl", dumpOf(recordings, runs));
    const spec = written(home, "spec.yaml", specOf(expectationsOf(recordings, kind)));
    return judgedByUs(await runWhole(testing(spec, dump), { home }));
  };
}

/**
 * `agentevals run` on the same dump. It checks tool calls with arguments and order; with `answer` also the common words of the answers
 * (ROUGE-1).
 */
export function agentevals({ path }: Program, runs?: number, answer = false): Side {
  const wanted = ["tool_trajectory_avg_score", ...(answer ? ["response_match_score"] : [])];
  const metrics = wanted.flatMap((metric) => ["-m", metric]);
  return async (recordings, kind, home) => {
    const dump = written(home, "dump.jsonl", dumpOf(recordings, runs));
    const set = written(home, "evalset.json", evalSetOf(expectationsOf(recordings, kind)));
    const command = [path, "run", dump, "-e", set, ...metrics, "-o", "json"];
    return judgedByAgentevals(await runWhole(command, { home, codes: [0, 1] }));
  };
}

/** An ADK golden set with one case per query. */
function evalSetOf(expected: readonly Expected[]) {
  const cases = expected.map(({ id, query, answer, tools }) => ({
    eval_id: id,
    conversation: [
      {
        invocation_id: id,
        user_content: { role: "user", parts: [{ text: query }] },
        final_response: { role: "model", parts: [{ text: answer }] },
        intermediate_data: {
          tool_uses: tools.map((call) => ({ name: call.name, args: call.arguments })),
          intermediate_responses: [],
        },
      },
    ],
    session_input: { app_name: "agent", user_id: "user", state: {} },
  }));
  return { eval_set_id: "recorded", name: "recorded", eval_cases: cases };
}

/** A trace passes if all its metrics pass. */
function judgedByAgentevals(took: Took): Judged {
  const { traces } = JSON.parse(took.stdout) as {
    traces: { trace_id: string; metrics: { eval_status: string }[] }[];
  };
  const having = (isSo: (all: readonly string[]) => boolean) =>
    new Set(
      traces
        .filter(({ metrics }) => isSo(metrics.map(({ eval_status: status }) => status)))
        .map(({ trace_id: id }) => id),
    );
  return {
    took,
    passed: having((all) => all.length > 0 && all.every((status) => status === "PASSED")),
    failed: having((all) => all.includes("FAILED")),
  };
}

/** `tracejury test --url`: sends each query to the agent `times` times, four concurrently, and receives the agent's telemetry. */
export function oursAsking(times: number): Side {
  return async (recordings, kind, home) =>
    withAgent(recordings, async (url, port) => {
      const spec = written(home, "spec.yaml", specOf(expectationsOf(recordings, kind)));
      const receive = ["--set", `receive.http=127.0.0.1:${port}`, "--set", "receive.grpc=off"];
      const asking = ["--url", url, "--runs", String(times), "--workers", "4"];
      return judgedByUs(await runWhole(testing(spec, ...asking, ...receive), { home }));
    });
}

/** `promptfoo eval` on the same agent, with one test for each request. promptfoo cannot read dumps. */
export function promptfoo({ path }: Program, times: number): Side {
  return async (recordings, kind, home) =>
    withAgent(recordings, async (url, port) => {
      const expected = new Map(expectationsOf(recordings, kind).map((one) => [one.query, one]));
      const tests = Array.from({ length: times }, () =>
        (times === 1 ? recordings : firstOfEach(recordings)).map(({ name, query }) => ({
          vars: { query, name },
          assert: assertionsOf(expected.get(query)),
        })),
      ).flat();
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
      const given = { prompts: ["{{query}}"], providers: [provider], tracing, tests };
      const config = written(home, "promptfooconfig.json", given);
      const output = join(home, "promptfoo-output.json");
      const quiet = ["--no-cache", "--no-table", "--no-progress-bar", "--no-share"];
      const command = [path, "eval", "-c", config, "-o", output, "-j", "4", ...quiet];
      // Exit code 100: at least one test failed.
      const took = await runWhole(command, { home, codes: [0, 100] });
      return judgedByPromptfoo(took, readFileSync(output, "utf8"));
    });
}

/** Without expected tools, no sequence can be asserted. The assertion is then that there are no tool steps. */
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

/** Results by the name of the recording and the number of the request. A test that could not be graded neither passed nor failed. */
function judgedByPromptfoo(took: Took, output: string): Judged {
  const { results } = JSON.parse(output) as {
    results: {
      results: { success: boolean; vars: { name: string }; gradingResult?: { pass: boolean } | null }[];
    };
  };
  const [passed, failed] = [new Set<string>(), new Set<string>()];
  for (const [at, { success, vars, gradingResult }] of results.results.entries()) {
    const name = passed.has(vars.name) ? `${vars.name} ${at}` : vars.name;
    if (success) passed.add(name);
    else if (gradingResult?.pass === false) failed.add(name);
  }
  return { took, passed, failed };
}

async function withAgent(
  recordings: readonly Recording[],
  judge: (url: string, port: number) => Promise<Judged>,
): Promise<Judged> {
  const port = await freePort();
  const agent = await RecordedAgent.start(recordings, port);
  try {
    return await judge(agent.url, port);
  } finally {
    agent.stop();
  }
}
