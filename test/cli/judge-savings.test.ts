import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { completion, message, modelServer } from "../judge/support/model-server.ts";
import { argv, runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

// Each test runs the command several times.

const dump = "test/fixtures/runs/rag-weather-fixed.langgraph.jsonl";

/** A server of OpenAI's API: the cheap model is unsure of rubrics that ask whether the answer is brief. */
async function judgesAt() {
  const server = await modelServer(({ body }) => {
    const isUnsure = body.model === "gpt-4o-mini" && body.messages[0].content.includes("brief");
    const score = isUnsure ? 3 : 5;
    return completion({ score, label: isUnsure ? "borderline" : "pass", rationale: "so" });
  });
  const folder = temporaryFolder();
  const env = { OPENAI_API_KEY: "sk-savings", OPENAI_BASE_URL: `${server.url}/v1` };
  const data = join(folder, "data");
  const testWith = async (spec: string, ...words: readonly string[]) => {
    writeFileSync(join(folder, "spec.yaml"), spec);
    const ran = await runCliWith(
      { env },
      ...argv`test ${dump} --spec ${join(folder, "spec.yaml")} --set data_dir=${data} --output
        ${`json=${join(folder, "result.json")}`} --output ${`html=${join(folder, "report.html")}`} ${words}`,
    );
    const result = resultSchema.parse(JSON.parse(readFileSync(join(folder, "result.json"), "utf8")));
    return {
      ...ran,
      result,
      judging: result.judging,
      html: readFileSync(join(folder, "report.html"), "utf8"),
    };
  };
  return { server, folder, env, cache: join(data, "judge-cache.jsonl"), testWith };
}

const spec = (judges: string) => `agent: "*"
judge_config: ${judges}
queries:
  - query: "*"
    id: any
    correctness:
      llm_judge:
        - { name: kind, rule: The answer is kind., threshold: 0.7 }
        - { name: brief, rule: The answer is brief., threshold: 0.7 }
`;
const strong = spec("{ model: openai/gpt-4o }");

describe("replies are kept in data_dir by default", () => {
  test("a second test calls no judge, and each report shows the savings", async () => {
    const { server, cache, testWith } = await judgesAt();
    const first = await testWith(strong);
    const second = await testWith(strong);

    expect(server.received).toHaveLength(2);
    expect(statSync(cache).mode & 0o777).toBe(0o600);
    expect(first.judging).toMatchObject({
      calls: 2,
      tokens: 300,
      saved: { cache: { calls: 0 }, prompt_cache: { calls: 2, tokens: 200 } },
    });
    // Of gpt-4o a million tokens cost $2.50 in, $1.25 in from the cache, and $10 out.
    const each = (20 * 2.5 + 100 * 1.25 + 30 * 10) / 1e6;
    expect(first.judging?.usd).toBeCloseTo(2 * each, 12);
    expect(first.judging?.saved.prompt_cache.usd).toBeCloseTo((2 * 100 * 1.25) / 1e6, 12);
    expect(second.judging).toMatchObject({
      calls: 0,
      tokens: 0,
      usd: 0,
      saved: { cache: { calls: 2, tokens: 300 } },
    });
    expect(second.judging?.saved.cache.usd).toBeCloseTo(2 * each, 12);
    expect(second.result.verdicts[0]?.layers.correctness.checks[1]).toMatchObject({
      judge: { cached: true },
    });
    const line =
      /judges: 0 calls, 0 tokens, \$0\.00 · saved 2 calls, 300 tokens, \$0\.0009\d* \(2 cached replies\)/;
    expect(second.stdout).toMatch(line);
    expect(second.html).toMatch(line);
    expect(first.stdout).toMatch(
      /judges: 2 calls, 300 tokens, \$0\.0009\d* · saved 0 calls, 0 tokens, \$0\.00025 \(provider's cache 200 tokens, \$0\.00025\)/,
    );
  });

  test.each([
    ["--no-judge-cache", ["--no-judge-cache"]],
    ["judge.cache: false", ["--set", "judge.cache=false"]],
  ])("unless %s says otherwise", async (_, words) => {
    const { server, cache, testWith } = await judgesAt();
    await testWith(strong, ...words);
    const second = await testWith(strong, ...words);

    expect(server.received).toHaveLength(4);
    expect(existsSync(cache)).toBe(false);
    expect(second.judging).toMatchObject({ calls: 2, saved: { cache: { calls: 0, tokens: 0, usd: 0 } } });
  });

  test("but not where runs are repeated, nor by judge-audit", async () => {
    const { server, folder, env, cache } = await judgesAt();
    writeFileSync(join(folder, "spec.yaml"), strong);
    const words = ["--spec", join(folder, "spec.yaml"), "--set", `data_dir=${join(folder, "data")}`];
    const repeated = await runCliWith({ env }, "judge-audit", dump, ...words, "--repeats", "2");

    expect(repeated.code).toBe(2);
    expect(server.received).toHaveLength(4);
    expect(existsSync(cache)).toBe(false);

    const agent = `node test/fixtures/agents/chat.mjs {query}`;
    const runs = ["--runs", "2", "--timeout", "600", "--keep", join(folder, "keep")];
    const asking = strong.replace('query: "*"', "query: Open a ticket for order 4711");
    writeFileSync(join(folder, "spec.yaml"), asking);
    await runCliWith({ env: { ...process.env, ...env } }, "test", "--exec", agent, ...words, ...runs);
    expect(server.received.length).toBeGreaterThan(4);
    expect(existsSync(cache)).toBe(false);
  });

  test("a reply of another address does not count", async () => {
    const one = await judgesAt();
    const other = await modelServer(() => completion({ score: 1, label: "fail", rationale: "no" }));
    await one.testWith(strong);
    const env = { OPENAI_API_KEY: "sk-savings", OPENAI_BASE_URL: `${other.url}/v1` };
    const file = join(one.folder, "spec.yaml");
    const data = `data_dir=${join(one.folder, "data")}`;
    const { code } = await runCliWith({ env }, "test", dump, "--spec", file, "--set", data);

    expect(other.received).toHaveLength(2);
    expect(code).toBe(1);
  });
});

describe("a cascade", () => {
  const cascade = spec("{ model: openai/gpt-4o, cascade: { first: openai/gpt-4o-mini } }");

  test("asks the strong model only where the cheap one is not sure, and counts what that saved", async () => {
    const { server, testWith } = await judgesAt();
    const { judging, stdout, result } = await testWith(cascade, "--no-judge-cache");

    expect(server.received.map(({ body }): string => String(body.model)).sort()).toEqual([
      "gpt-4o",
      "gpt-4o-mini",
      "gpt-4o-mini",
    ]);
    const checks = result.verdicts[0]?.layers.correctness.checks ?? [];
    expect(checks.map(({ judge }) => judge?.first?.decided)).toEqual([undefined, true, false]);
    const cheap = (20 * 0.15 + 100 * 0.075 + 30 * 0.6) / 1e6;
    const dear = (120 * 2.5 + 30 * 10) / 1e6;
    expect(judging).toMatchObject({ calls: 3, saved: { cascade: { calls: 1, tokens: -150 } } });
    expect(judging?.saved.cascade.usd).toBeCloseTo(dear - 2 * cheap, 12);
    expect(stdout).toMatch(/cascade 1 call, \$0\.0005\d*/);
    expect(stdout).toContain("decided by openai/gpt-4o-mini alone");
  });

  test("goes by what judge-audit found with labels", async () => {
    const { folder, env, server, testWith } = await judgesAt();
    writeFileSync(join(folder, "spec.yaml"), cascade);
    writeFileSync(join(folder, "labels.yaml"), "any: pass\n");
    const { stdout } = await runCliWith(
      { env },
      ...argv`judge-audit ${dump} --spec ${join(folder, "spec.yaml")} --repeats 2 --labels
        ${join(folder, "labels.yaml")} --format json`,
    );
    const audited = JSON.parse(stdout) as {
      rubrics: { rubric: string; model: string; calibration: object[] }[];
    };
    expect(audited.rubrics.map(({ rubric, model }) => `${rubric} ${model}`).sort()).toEqual([
      "brief openai/gpt-4o",
      "brief openai/gpt-4o-mini",
      "kind openai/gpt-4o",
      "kind openai/gpt-4o-mini",
    ]);
    const file = join(folder, "audit.json");
    const rubrics = audited.rubrics.map((it) =>
      it.model === "openai/gpt-4o-mini" && it.rubric === "kind"
        ? { ...it, calibration: [{ score: 5, cases: 10, right: 6 }] }
        : it,
    );
    writeFileSync(file, JSON.stringify({ rubrics }));
    const before = server.received.length;
    const { result } = await testWith(cascade, "--set", `judge.audits=${file}`);

    expect(
      server.received
        .slice(before)
        .map(({ body }): string => String(body.model))
        .sort(),
    ).toEqual(["gpt-4o", "gpt-4o", "gpt-4o-mini", "gpt-4o-mini"]);
    expect(result.verdicts[0]?.layers.correctness.checks[1]?.judge?.first).toMatchObject({
      decided: false,
      why: "labels agreed with 6 of 10 answers that the model scored 5",
    });
  });
});

describe("what is the same for every run comes first", () => {
  const withReference = `agent: "*"
judge_config: { model: MODEL }
queries:
  - query: "*"
    correctness: { llm_judge: [{ rule: The answer is right., reference: Returns are free., threshold: 0.7 }] }
`;
  const dumps = [dump, "test/fixtures/runs/rag-install.langgraph.jsonl"];

  async function sent(kind: "openai" | "anthropic") {
    const reply = { score: 5, label: "pass", rationale: "so" };
    const server = await modelServer(() => (kind === "openai" ? completion(reply) : message(reply)));
    const file = join(temporaryFolder(), "spec.yaml");
    writeFileSync(file, withReference.replace("MODEL", `${kind}/judge-1`));
    const env =
      kind === "openai"
        ? { OPENAI_API_KEY: "sk-prefix", OPENAI_BASE_URL: `${server.url}/v1` }
        : { ANTHROPIC_API_KEY: "sk-prefix", ANTHROPIC_BASE_URL: server.url };
    await runCliWith({ env }, "test", ...dumps, "--spec", file);
    expect(server.received.length).toBeGreaterThan(1);
    return server.received.map(({ body }) => body);
  }

  test("for OpenAI, whose cache goes by the beginning", async () => {
    const [one, other] = await sent("openai");
    const user = (body: typeof one): string => body.messages[1].content;
    const reference = user(one).indexOf("<<<END REFERENCE");
    const common = user(one)
      .split("")
      .findIndex((letter, at) => letter !== user(other)[at]);

    expect(one.messages[0].content).toBe(other.messages[0].content);
    expect(reference).toBeGreaterThan(0);
    expect(common).toBeGreaterThan(reference);
  });

  test("for Anthropic with a breakpoint behind it", async () => {
    const [one, other] = await sent("anthropic");
    const breakpoint = { cache_control: { type: "ephemeral" } };

    expect(one.system).toMatchObject([breakpoint]);
    expect(one.messages[0].content).toMatchObject([breakpoint, { type: "text" }]);
    expect(one.messages[0].content[0]).toEqual(other.messages[0].content[0]);
    expect(one.messages[0].content[0].text).toContain("Returns are free.");
    expect(one.messages[0].content[1].text).not.toBe(other.messages[0].content[1].text);
  });
});

test("merge adds up what the judges of several results cost", async () => {
  const { folder, testWith } = await judgesAt();
  const { judging } = await testWith(strong, "--no-judge-cache");
  const file = join(folder, "result.json");
  const { stdout } = await runCliWith({}, "merge", file, file, "--format", "json");
  const merged = resultSchema.parse(JSON.parse(stdout)).judging;

  expect(merged).toMatchObject({ calls: 4, tokens: 600 });
  expect(merged?.usd).toBeCloseTo(2 * (judging?.usd ?? 0), 12);
});
