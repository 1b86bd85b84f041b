import { fileURLToPath } from "node:url";
import { type Expected, MAX_LATENCY_MS, type Said } from "./expectations.ts";

const program = fileURLToPath(new URL("../../../bin/tracejury.js", import.meta.url));

/** A spec (JSON is YAML, too): the answer, the tools with their arguments, in order, and latency. */
export function specOf(expected: readonly Expected[]): string {
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
  return JSON.stringify({ version: 1, agent: "*", severity: { path: "fail", cost: "fail" }, queries });
}

const judged = ["--judge", "off", "--format", "json"];

export function testDump(dump: string, spec: string): string[] {
  return [process.execPath, program, "test", dump, "--spec", spec, ...judged];
}

/** Asks a running agent each query so many times, four at once, and receives what it sends at `port`. */
export function testAgent(url: string, port: number, spec: string, times: number): string[] {
  const receive = ["--set", `receive.http=127.0.0.1:${port}`, "--set", "receive.grpc=off"];
  const asking = ["--url", url, "--runs", String(times), "--workers", "4"];
  return [process.execPath, program, "test", ...asking, ...receive, "--spec", spec, ...judged];
}

interface Verdicts {
  readonly verdicts: readonly { readonly trace_id: string; readonly outcome: string }[];
}

export function saidByUs(stdout: string): Said {
  const { verdicts } = JSON.parse(stdout) as Verdicts;
  const having = (outcome: string) =>
    new Set(verdicts.filter((one) => one.outcome === outcome).map((one) => one.trace_id));
  return { passed: having("pass"), failed: having("fail") };
}
