import { describe, expect, test } from "vitest";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { argv, cli, runCli, runCliWith } from "../support/run-cli.ts";

const spec = ["--spec", "specs/rag-agent.yaml", "--judge", "off"];
const fixed = "test/fixtures/runs/rag-weather-fixed.langgraph.jsonl";
const weather = ["--query", "What's the weather in Tokyo?"];

describe("exit code 2: undecided", () => {
  test("queries without a run, unless relaxed", async () => {
    expect((await runCli("test", fixed, ...spec)).code).toBe(2);
    expect((await runCli("test", fixed, ...spec, "--on-missing", "warn")).code).toBe(0);
    expect((await runCli("test", fixed, ...spec, "--on-missing", "fail")).code).toBe(1);
  });

  test("tags that select nothing, with a result that says so", async () => {
    const { code, stdout, stderr } = await cli`test ${fixed} ${spec} --tags no-such-tag --format json`;

    expect(code).toBe(2);
    expect(stderr).toContain('no query has the tag "no-such-tag"; the queries have the tags ');
    expect(JSON.parse(stdout)).toMatchObject({ summary: { total: 0, exit_code: 2 } });
  });

  test.each([
    ["smoke", ["--tags", "smoke"]],
    ["smoke or technical", ["--tags", "smoke,technical"]],
    ["smoke or technical", ["--tags", "smoke", "--tags", " technical, "]],
  ])("queries tagged %s without a run, by %j", async (tags, words) => {
    const { stdout } = await runCli("test", fixed, ...spec, ...words, "--format", "json");
    const { missing } = resultSchema.parse(JSON.parse(stdout));
    const expected = tags === "smoke" ? ["install"] : ["install", "langgraph-state"];
    expect(missing.map(({ query_id }) => query_id)).toEqual(expected);
  });

  test("a tag that no query has, beside one that some have, is named", async () => {
    const { stderr } = await cli`test ${fixed} ${spec} --tags smoke,smok`;
    expect(stderr).toContain('warning: --tags: no query has the tag "smok"; the queries have the tags ');
    expect(stderr).not.toContain('"smoke"');
  });

  test("a dump that is not there, a spec that is not there, a flag that is not there", async () => {
    expect(await runCli("test", "no-such-dump.jsonl", ...spec)).toMatchObject({ code: 2, stdout: "" });
    expect(await runCli("test", fixed, "--spec", "no-such-spec.yaml")).toMatchObject({ code: 2, stdout: "" });
    expect(await runCli("test", fixed, ...spec, "--no-such-flag")).toMatchObject({ code: 2, stdout: "" });
  });

  test("a broken line is named with file and line, and nothing after it is lost", async () => {
    const { readFileSync } = await import("node:fs");
    const stdin = `{"resourceSpans": [\n${readFileSync(fixed, "utf8")}`;
    const { code, stdout } = await runCliWith({ stdin }, ...argv`test - ${spec} ${weather} --format json`);
    const result = resultSchema.parse(JSON.parse(stdout));

    expect(code).toBe(2);
    expect(result.invalid_input).toMatchObject([{ line: 1 }]);
    expect(result.summary).toMatchObject({ total: 1, passed: 1 });
    const skipping = await runCliWith({ stdin }, "test", "-", ...spec, ...weather, "--skip-invalid");
    expect(skipping.code).toBe(0);
  });
});

test("the same input gives the same bytes", async () => {
  const words = argv`test test/fixtures/runs --spec specs/*.yaml --judge off --format json`;
  const [first, second] = [await runCli(...words), await runCli(...words)];

  expect(first.stdout).toBe(second.stdout);
});
