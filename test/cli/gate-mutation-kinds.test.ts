import { join } from "node:path";
import { expect, test } from "vitest";
import { agentDump, askAndAnswer, type DumpedRun } from "../support/agent-dump.ts";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { runCliWith } from "../support/run-cli.ts";
import { temporaryFolder, temporaryFile } from "../support/temporary-folder.ts";

/*
 * A run that passes is made wrong in one way, and goes through every gate beside two that pass: none may exit with 0.
 */

const spec = temporaryFile(
  "shop.yaml",
  `agent: shop
judge_config: { model: openai/judge-1 }
queries:
  - id: any
    query: "*"
    correctness:
      expected_in_answer: [alpha]
      not_in_answer: [secret]
      llm_judge: [{ rule: The answer is polite. }]
    path: { forbidden_tools: [drop_table], expected_tools: [search] }
    cost: { max_total_tokens: 500, severity: fail }
    severity: { path: fail }
    reliability: { min_pass_rate: 0.8 }
`,
);
const answer = "alpha and so on.";
const good: DumpedRun = { query: "Q one?", answer, tools: ["search"], calls: askAndAnswer };
const others = ["Why so?", "How much?"].map((query) => ({ ...good, query }));
const before = temporaryFile("before.jsonl", agentDump([...others, good]));
const result = join(temporaryFolder(), "before.json");

/** Sets the input tokens of the last model call. */
const withTokens = (tokens: number) => (text: string) => {
  const at = text.lastIndexOf('{"key":"gen_ai.usage.input_tokens"');
  return text.slice(0, at) + text.slice(at).replace(/"intValue":"\d+"/, `"intValue":"${tokens}"`);
};

async function gate(...words: readonly string[]): Promise<number> {
  const server = await modelServer(({ body }) => {
    const isRude = JSON.stringify(body).includes("rudely");
    return completion({ score: isRude ? 1 : 5, label: isRude ? "fail" : "pass", rationale: "r" });
  });
  const env = { OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${server.url}/v1` };
  return (await runCliWith({ env }, ...words, "--spec", spec)).code;
}

let saved: Promise<number> | undefined;

test.each<[what: string, run: Partial<DumpedRun>, edit?: (dump: string) => string]>([
  ["a forbidden tool in other letters", { tools: ["search", "Drop-Table"] }],
  ["a forbidden tool with an invisible character", { tools: ["search", "drop\u200b_table"] }],
  ["a forbidden word in disguised letters", { answer: "alpha, ｓｅｃｒｅｔ and so on." }],
  ["a term that lacks", { answer: "beta." }],
  ["a wrong answer to another question", { query: "¿Quién paga?", answer: "beta." }],
  ["a rubric that is not met", { answer: "alpha, said rudely." }],
  ["an answer that was cut off", { answer: `alpha ${"of the order ".repeat(80)}`.slice(0, 1023) + "x" }],
  ["an answer that is missing", { answer: null }],
  ["a run that failed", { error: "boom" }],
  ["an expected tool that is missing", { tools: ["find"] }],
  ["tokens that cannot be", {}, withTokens(-1)],
  ["too many tokens", {}, withTokens(501)],
])("no gate exits with 0: %s", async (_, run, edit = (dump) => dump) => {
  expect(await (saved ??= gate("test", before, "--output", `json=${result}`))).toBe(0);
  const input = temporaryFile("wrong.jsonl", edit(agentDump([...others, { ...good, ...run }], 1000)));
  const codes = {
    test: await gate("test", input),
    new: await gate("test", input, "--fail-on", "new", result),
    diff: await gate("diff", "--baseline", before, "--compare", input),
    report: await gate("report", input, "--group-by", "query"),
  };
  expect(Object.entries(codes).filter(([, code]) => code === 0)).toEqual([]);
});
