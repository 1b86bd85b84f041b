import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { agentDump, type DumpedRun } from "../support/agent-dump.ts";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { runCli, runCliWith } from "../support/run-cli.ts";
import { temporaryFolder, temporaryFile } from "../support/temporary-folder.ts";

/*
 * A run that passes is made wrong in one way, and goes through every gate: none may exit with 0. GATE_MUTATIONS=200 makes a longer run, GATE_SEED=1 another,
 * GATE_TABLE=1 prints how many of each kind there were.
 */

const mutations = Number(process.env["GATE_MUTATIONS"] ?? "8");
const seed = Number(process.env["GATE_SEED"] ?? "38");
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
    path: { forbidden_tools: [drop_table, transfer_to_billing], expected_tools: [search] }
    cost: { max_total_tokens: 500, severity: fail }
    severity: { path: fail }
    reliability: { min_pass_rate: 0.8 }
`,
);

/** Ordinary runs of other questions, which pass. */
const others: readonly DumpedRun[] = ["Why so?", "How much?"].map((query) => ({
  query,
  answer: "alpha and so on.",
  tools: ["search"],
  answersAfterTools: true,
}));
const good: DumpedRun = {
  query: "Q one?",
  answer: "alpha and so on.",
  tools: ["search"],
  answersAfterTools: true,
};

const hidden = fc.constantFrom("\u200b", "\u00ad", "\u2060", "\ufeff", "\u{e0061}", "\u180e");
const counts = fc.constantFrom(-1, -1e9, 1e300, 1e18);
const limit = fc.constantFrom(128, 256, 512, 1024, 4096, 12_000);
const cutWords = (length: number): string =>
  `alpha ${"of the order ".repeat(length)}`.slice(0, length - 1) + "x";

interface Mutation {
  readonly run: DumpedRun;
  /** Changes the text of the dump. */
  readonly edit?: (text: string) => string;
}

/** Where in a dump the tokens of the last run stand. */
function withTokens(text: string, tokens: number): string {
  const at = text.lastIndexOf('{"key":"gen_ai.usage.input_tokens"');
  const value = Number.isSafeInteger(tokens) ? { intValue: String(tokens) } : { doubleValue: tokens };
  const end = text.indexOf("}}", at) + 2;
  return `${text.slice(0, at)}${JSON.stringify({ key: "gen_ai.usage.input_tokens", value })}${text.slice(end)}`;
}

const kinds: Readonly<Record<string, fc.Arbitrary<Mutation>>> = {
  "another forbidden tool": fc
    .constantFrom("drop_table", "DropTable", "drop-table")
    .map((tool) => ({ run: { ...good, tools: ["search", tool] } })),
  "a forbidden tool with invisible characters": fc.tuple(hidden, fc.nat(9)).map(([mark, at]) => ({
    run: { ...good, tools: ["search", `${"drop_table".slice(0, at)}${mark}${"drop_table".slice(at)}`] },
  })),
  "a forbidden tool that is named like an agent": fc
    .constantFrom("drop_table", "transfer_to_billing")
    .map((tool) => ({
      run: { ...good, tools: ["search", tool], agent: "shop" },
      edit: namedLikeAgent(tool),
    })),
  "another term": fc.constantFrom("secret", "SECRET", "ｓｅｃｒｅｔ", "se\u200bcret").map((word) => ({
    run: { ...good, answer: `alpha, ${word} and so on.` },
  })),
  "a term that lacks": fc
    .constantFrom("", "beta.", "alph a.")
    .map((answer) => ({ run: { ...good, answer } })),
  "another question": fc
    .constantFrom("Who pays?", "¿Quién paga?", "x² or x2?")
    .map((query) => ({ run: { ...good, query, answer: "beta." } })),
  "a rubric that is not met": fc
    .constantFrom("rudely", "quite rudely")
    .map((how) => ({ run: { ...good, answer: `alpha, said ${how}.` } })),
  "an answer that was cut off": limit.map((length) => ({ run: { ...good, answer: cutWords(length) } })),
  "messages that were cut off": limit.map((length) => ({
    run: { ...good, answer: `${cutWords(20_000)} and so on.` },
    edit: cutMessages(length),
  })),
  "tokens that cannot be": counts.map((tokens) => ({ run: good, edit: (text) => withTokens(text, tokens) })),
  "too many tokens": fc.integer({ min: 501, max: 1e6 }).map((tokens) => ({
    run: good,
    edit: (text) => withTokens(text, tokens),
  })),
  "an answer that is missing": fc.constant({ run: { ...good, answer: null } }),
  "a run that failed": fc.constantFrom("boom", "time-out").map((error) => ({ run: { ...good, error } })),
  "an expected tool that is missing": fc
    .constantFrom([], ["find"])
    .map((tools) => ({ run: { ...good, tools } })),
};

/** A sub-agent of the tool's name ran beside the tool, which is still one. */
function namedLikeAgent(tool: string): (text: string) => string {
  return (text) => {
    const lines = text.trimEnd().split("\n");
    const last = JSON.parse(lines.at(-1) ?? "") as {
      resourceSpans: { scopeSpans: { spans: Record<string, unknown>[] }[] }[];
    };
    const spans = last.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
    const [root, chat] = spans;
    const attributes = [
      { key: "gen_ai.operation.name", value: { stringValue: "invoke_agent" } },
      { key: "gen_ai.agent.name", value: { stringValue: tool } },
    ];
    spans.push({
      ...chat,
      spanId: "00000000000fffff",
      parentSpanId: root?.["spanId"],
      name: `invoke_agent ${tool}`,
      attributes,
    });
    return `${[...lines.slice(0, -1), JSON.stringify(last)].join("\n")}\n`;
  };
}

function cutMessages(length: number): (text: string) => string {
  return (text) => {
    const lines = text.trimEnd().split("\n");
    const last = (lines.at(-1) ?? "").replace(
      /(\{"key":"gen_ai\.output\.messages","value":\{"stringValue":)("(?:[^"\\]|\\.)*")/,
      (_, before: string, value: string) =>
        `${before}${JSON.stringify((JSON.parse(value) as string).slice(0, length))}`,
    );
    return `${[...lines.slice(0, -1), last].join("\n")}\n`;
  };
}

test("no gate exits with 0 for a run that was made wrong", async () => {
  const server = await modelServer(({ body }) => {
    const isRude = JSON.stringify(body).includes("rudely");
    return completion({ score: isRude ? 1 : 5, label: isRude ? "fail" : "pass", rationale: "r" });
  });
  const env = { OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${server.url}/v1` };
  const run = (...words: readonly string[]) => runCliWith({ env }, ...words);
  const before = temporaryFile("before.jsonl", agentDump([...others, good]));
  const result = join(temporaryFolder(), "before.json");
  const saved = await run("test", before, "--spec", spec, "--output", `json=${result}`);
  expect([saved.code, saved.stderr]).toEqual([0, ""]);
  const gates: Readonly<Record<string, (input: string) => Promise<number>>> = {
    test: async (input) => (await run("test", input, "--spec", spec)).code,
    "--fail-on new": async (input) =>
      (await run("test", input, "--spec", spec, "--fail-on", "new", result)).code,
    diff: async (input) => (await run("diff", "--baseline", before, "--compare", input, "--spec", spec)).code,
    report: async (input) => (await run("report", input, "--spec", spec, "--group-by", "query")).code,
  };
  const table = new Map<string, number[]>();
  const wrong: string[] = [];
  const names = Object.keys(kinds);
  let first = 1000;
  await fc.assert(
    fc.asyncProperty(
      fc
        .constantFrom(...names)
        .chain((kind) =>
          (kinds[kind] ?? fc.constant<Mutation>({ run: good })).map((made) => ({ kind, made })),
        ),
      async ({ kind, made }) => {
        first += 50;
        const edit = made.edit ?? ((text: string) => text);
        const input = temporaryFile("mutated.jsonl", edit(agentDump([...others, made.run], first)));
        const codes: number[] = [];
        for (const gate of Object.values(gates)) codes.push(await gate(input));
        const seen = table.get(kind) ?? [0, 0, 0, 0, 0];
        table.set(kind, [
          (seen[0] ?? 0) + 1,
          ...codes.map((code, at) => (seen[at + 1] ?? 0) + (code === 0 ? 1 : 0)),
        ]);
        if (codes.includes(0))
          wrong.push(`${kind}: ${codes.join(" ")} ${JSON.stringify(made.run).slice(0, 200)}`);
      },
    ),
    { numRuns: mutations, seed },
  );
  if (process.env["GATE_TABLE"] === "1")
    process.stdout.write(`${[...table].map(([kind, row]) => `${kind} | ${row.join(" | ")}`).join("\n")}\n`);
  expect(wrong).toEqual([]);
});

test("a key without a value is refused by every gate", async () => {
  const empty = temporaryFile(
    "empty.yaml",
    "agent: shop\nqueries:\n  - query: Q one?\n    path: { forbidden_tools: }\n    correctness: { not_in_answer: [secret] }\n",
  );
  const input = temporaryFile("good.jsonl", agentDump([good]));
  for (const words of [
    ["test", input, "--spec", empty],
    ["diff", "--baseline", input, "--compare", input, "--spec", empty],
    ["report", input, "--spec", empty],
  ])
    expect((await runCli(...words)).code).toBe(2);
});
