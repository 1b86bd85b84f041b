import type { Expected, Said } from "./expectations.ts";

const TRAJECTORY = "tool_trajectory_avg_score";
const ANSWER = "response_match_score";

/** A golden set as ADK writes it, with one case a query. */
export function evalSetOf(expected: readonly Expected[]): string {
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
  return JSON.stringify({ eval_set_id: "recorded", name: "recorded", eval_cases: cases });
}

/** Tools with their arguments, in order; with `answer`, also how far the answer has the same words (ROUGE-1). */
export function runAgentevals(program: string, dump: string, evalSet: string, answer: boolean): string[] {
  const metrics = [TRAJECTORY, ...(answer ? [ANSWER] : [])].flatMap((metric) => ["-m", metric]);
  return [program, "run", dump, "-e", evalSet, ...metrics, "-o", "json"];
}

interface Output {
  readonly traces: readonly {
    readonly trace_id: string;
    readonly metrics: readonly { readonly metric_name: string; readonly eval_status: string }[];
  }[];
}

/** A trace passes when all its metrics do. */
export function saidByAgentevals(stdout: string): Said {
  const { traces } = JSON.parse(stdout) as Output;
  const passed = new Set<string>();
  const failed = new Set<string>();
  for (const { trace_id: id, metrics } of traces) {
    const all = metrics.map(({ eval_status: status }) => status);
    if (all.includes("FAILED")) failed.add(id);
    else if (all.length > 0 && all.every((status) => status === "PASSED")) passed.add(id);
  }
  return { passed, failed };
}
