import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { ownsRun, parseShard } from "../../src/replay/judging/shard.ts";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { formats } from "../../src/report/render/formats/format-names.ts";
import { agentDump } from "../support/agent-dump.ts";
import { argv, runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder();
const broken = join(folder, "broken.jsonl");
const names = ["rag-weather-fixed", "rag-install"].map((name) => `${name}.langgraph`);
const runs = [...names, "dev-[jpr]*.agents-sdk", "support-offtopic.agents-sdk"];
const whole = argv`test ${runs.map((name) => `test/fixtures/runs/${name}.jsonl`)} ${broken}
  --spec specs/rag-agent.yaml --spec specs/dev-agent.yaml --judge off`;

async function parts(count: number, words: readonly string[] = whole): Promise<string[]> {
  const files: string[] = [];
  for (let index = 1; index <= count; index++) {
    const { code, stdout } = await runCli(...words, "--shard", `${index}/${count}`);
    expect(code).toBe(0);
    const file = join(folder, `${count}-${files.length}-${words.length}.jsonl`);
    writeFileSync(file, stdout);
    files.push(file);
  }
  return files;
}

let three: string[];
beforeAll(async () => {
  writeFileSync(broken, "no telemetry\n");
  three = await parts(3);
});

describe("saved results, merged", () => {
  const test1 = ["test", "test/fixtures/runs/rag-install.langgraph.jsonl", "--spec", "specs/rag-agent.yaml"];
  const test2 = ["test", "test/fixtures/runs/rag-aws.langgraph.jsonl", "--spec", "specs/rag-agent.yaml"];
  const test3 = ["test", "test/fixtures/runs/dev-json.agents-sdk.jsonl", "--spec", "specs/dev-agent.yaml"];

  async function saved(name: string, words: readonly string[]): Promise<string> {
    const file = join(folder, name);
    writeFileSync(file, (await runCli(...words, "--judge", "off", "--format", "json")).stdout);
    return file;
  }

  test("one stays as it is, several are one: verdicts once, a query missing where nobody has it", async () => {
    const files = await Promise.all([saved("1.json", test1), saved("2.json", test2), saved("3.json", test3)]);
    const [first, second] = files;
    const alone = await runCli("merge", first, "--format", "json");
    const all = await runCli("merge", ...files, second, "--format", "json");
    const both = JSON.parse(all.stdout);

    expect(JSON.parse(alone.stdout)).toEqual(JSON.parse(readFileSync(first, "utf8")));
    expect(both.specs).toHaveLength(2);
    expect(both.verdicts.map((one: { query_id: string }) => one.query_id)).toHaveLength(3);
    const rag = JSON.parse(alone.stdout).missing.length;
    const own = both.missing.filter((one: { spec: string }) => one.spec === both.verdicts[0].spec);
    expect(own).toHaveLength(rag - 1);
    expect([all.code, both.summary.exit_code]).toEqual([2, 2]);
  });

  test("what recorded answers saved is added up; what one does not know, none knows", async () => {
    const saving = { runs: 2, calls: 5, tokens: 300, usd: 0.25 };
    const withModels = (name: string, file: string, models: object): string => {
      const path = join(folder, name);
      writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), models }));
      return path;
    };
    const one = withModels("saved-1.json", await saved("a.json", test1), saving);
    const second = await saved("b.json", test2);
    const [known, unknown] = await Promise.all(
      [0.5, null].map(async (usd) => {
        const other = withModels(`saved-${usd}.json`, second, { ...saving, usd });
        return resultSchema.parse(JSON.parse((await runCli("merge", one, other, "--format", "json")).stdout));
      }),
    );

    expect(known?.models).toEqual({ runs: 4, calls: 10, tokens: 600, usd: 0.75 });
    expect(unknown?.models).toEqual({ runs: 4, calls: 10, tokens: 600, usd: null });
  });

  test("a run that two specs were asked about counts once, and is matched where one of them has it", async () => {
    const dump = "test/fixtures/runs/dev-json.agents-sdk.jsonl";
    const other = await saved("other.json", ["test", dump, "--spec", "specs/rag-agent.yaml"]);
    const own = await saved("own.json", ["test", dump, "--spec", "specs/dev-agent.yaml"]);
    const specs = ["--spec", "specs/rag-agent.yaml", "--spec", "specs/dev-agent.yaml"];
    const whole = await runCli("test", dump, ...specs, "--judge", "off", "--format", "json");
    const { stdout } = await runCli("merge", own, other, own, "--format", "json");
    expect(JSON.parse(stdout).summary).toEqual(JSON.parse(whole.stdout).summary);
  });

  test("of two verdicts about the same run the worse counts, whatever their order", async () => {
    const good = await saved("good.json", test1);
    const result = resultSchema.parse(JSON.parse(readFileSync(good, "utf8")));
    const bad = join(folder, "bad.json");
    const verdicts = result.verdicts.map((verdict) => ({ ...verdict, outcome: "fail" }));
    writeFileSync(bad, JSON.stringify({ ...result, verdicts }));
    expect((await runCli("merge", good, bad)).code).toBe(1);
    expect((await runCli("merge", bad, good)).code).toBe(1);
  });

  test.each(formats)(
    "a result without tools and with an impossible time is shown by --format %s",
    async (format) => {
      const good = await saved("odd.json", test1);
      const result = resultSchema.parse(JSON.parse(readFileSync(good, "utf8")));
      const odd = { tools: undefined, start_unix_ms: 1e300 };
      const verdicts = result.verdicts.map((one) => ({ ...one, ...odd }));
      writeFileSync(good, JSON.stringify({ ...result, verdicts }));
      const { code, stdout } = await runCli("merge", good, "--on-missing", "warn", "--format", format);
      expect([code, stdout.length > 100]).toEqual([0, true]);
    },
  );

  test("results and parts do not mix", async () => {
    const { code, stderr } = await runCli("merge", await saved("mixed.json", test1), ...three);
    expect(code).toBe(2);
    expect(stderr).toContain("not a result of test");
  });
});

describe("shares of the same dumps, merged", () => {
  test.each(["json", "console", "junit", "html"])(
    "give the %s report of one process, byte for byte",
    async (format) => {
      const one = await runCli(...whole, "--format", format);
      expect(one.stdout).toContain("weather");
      expect(await runCli("merge", ...three, "--format", format)).toEqual(one);
      expect(await runCli("merge", ...three.toReversed(), "--format", format)).toEqual(one);
    },
  );

  test("give the same gates, in the same order", async () => {
    const dump = join(folder, "gated.jsonl");
    const questions = ["Pear", "Apple", "Fig", "Cherry", "Date", "Banana"];
    writeFileSync(dump, agentDump(questions.map((query) => ({ query, answer: "No" }))));
    const spec = join(folder, "gated.yaml");
    const gated = `{ query: "*", correctness: { expected_in_answer: [yes] }, reliability: { min_pass_rate: 0.5 } }`;
    writeFileSync(spec, `version: 1\nagent: shop\nqueries: [${gated}]\n`);
    const words = ["test", dump, "--spec", spec, "--no-config"];
    const one = await runCli(...words, "--format", "json");
    const groups = JSON.parse(one.stdout).groups[0].gate.not_held;
    expect(groups.map(({ name }: { name: string }) => name)).toEqual(
      questions.toSorted().map((question) => `"${question}"`),
    );
    expect(await runCli("merge", ...(await parts(3, words)), "--format", "json")).toEqual(one);
  });
});

describe("parts that are not the whole are refused", () => {
  const cut = join(folder, "cut.jsonl");
  const lost = join(folder, "lost.jsonl");

  test.each<readonly [string, () => string[], string]>([
    ["a share is missing", () => three.slice(1), "of 3 shards, these are missing: 1"],
    ["a share occurs twice", () => [...three, ...three.slice(0, 1)], "shard 1 of 3 occurs twice"],
    ["a file was cut short", () => [cut, ...three.slice(1)], "is incomplete: its last line is missing"],
    ["a line was lost", () => [lost, ...three.slice(1)], "findings, but its last line counts"],
    [
      "a file is a dump",
      () => ["test/fixtures/runs/rag-install.langgraph.jsonl"],
      "is not the first line of a part",
    ],
    ["a file is not there", () => ["none.jsonl"], "none.jsonl cannot be read"],
  ])("%s", async (_, files, said) => {
    const lines = readFileSync(three[0] ?? "", "utf8").split("\n");
    writeFileSync(cut, lines.slice(0, -2).join("\n"));
    writeFileSync(lost, lines.toSpliced(1, 1).join("\n"));
    const { code, stdout, stderr } = await runCli("merge", ...files());
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(said);
  });

  test("shares of other queries", async () => {
    const [other] = await parts(3, [...whole, "--query", "weather"]);
    const { code, stderr } = await runCli("merge", other ?? "", ...three.slice(1));
    expect(code).toBe(2);
    expect(stderr).toContain("come from different input, specs, queries or versions");
  });
});

test.each(["0/3", "4/3", "1", "1/0", "a/b", "-1/3", "1/99999"])("--shard %s is refused", async (text) => {
  const { code, stderr } = await runCli(...whole, "--shard", text);
  expect(code).toBe(2);
  expect(stderr).toContain("as in 2/3");
});

test("every run belongs to exactly one share", () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 50 }), (traceId, count) => {
      const owners = Array.from({ length: count }, (_, at) => parseShard(`${at + 1}/${count}`)).filter(
        (shard) => ownsRun(shard, { traceId }),
      );
      expect(owners).toHaveLength(1);
    }),
  );
});
