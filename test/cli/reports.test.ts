import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { argv, cli, runCli, runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const broken = argv`test test/fixtures/runs/rag-weather-broken.langgraph.jsonl --spec specs/rag-agent.yaml
  --judge off --query ${"What's the weather in Tokyo?"}`;

let folder: string;
beforeEach(() => (folder = temporaryFolder()));

describe("test --output", () => {
  test("writes several reports at once, in folders made as needed, and keeps them out of stdout", async () => {
    const junit = join(folder, "deep/junit.xml");
    const json = join(folder, "result.json");
    const { code, stdout } = await cli`${broken} --format json --output junit=${junit} --output json=${json}`;

    expect(code).toBe(1);
    expect(readFileSync(json, "utf8")).toBe(stdout);
    expect(readFileSync(junit, "utf8")).toMatch(/^<\?xml .*<testsuite [^>]*tests="1" failures="1"/s);
  });

  test("refuses what it does not know, and names what it does", async () => {
    const { code, stderr } = await runCli(...broken, "--output", "pdf=x.pdf");

    expect(code).toBe(2);
    expect(stderr).toMatch(/--output pdf=x\.pdf.*junit/s);
  });
});

test("export-metrics writes what test --format prometheus does, from the saved result", async () => {
  const result = join(folder, "result.json");
  const { stdout } = await runCli(...broken, "--format", "prometheus", "--output", `json=${result}`);

  expect(stdout).toMatch(/^agentci_total_tokens\{.*query="What's the weather in Tokyo\?"\} 4200$/m);
  expect(await runCli("export-metrics", result)).toMatchObject({ code: 0, stdout });
  expect((await runCli("export-metrics", "specs/rag-agent.yaml")).code).toBe(2);
});

describe("in a GitHub workflow", () => {
  test("annotations are on stderr and the summary is written, whatever the format", async () => {
    const summary = join(folder, "summary.md");
    const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
    const { stdout, stderr } = await runCliWith({ env }, ...broken, "--format", "json");

    expect(JSON.parse(stdout)).toMatchObject({ summary: { failed: 1 } });
    expect(stderr).toMatch(/^::error file=specs\/rag-agent\.yaml,line=\d+,/m);
    expect(readFileSync(summary, "utf8")).toContain("## Tracejury: ❌ failed");
  });

  test("--format github has them on stdout, once", async () => {
    const { stdout, stderr } = await runCliWith(
      { env: { GITHUB_ACTIONS: "true" } },
      ...argv`${broken} --format github`,
    );

    expect(stdout).toMatch(/^::error file=/);
    expect(stderr).toBe("");
  });
});

describe("reports that cannot be written are refused before anything is judged", () => {
  const dump = "test/fixtures/runs/rag-aws.langgraph.jsonl";

  test.each([
    ["two to one file", ["json=same.out", "junit=same.out"], "two --output options name same.out"],
    ["standard output", ["json=-"], "use --format for standard output"],
    ["a folder", ["json=test"], "the report test cannot be written: EISDIR"],
    ["where no folder can be made", ["json=/proc/no/where"], "the report /proc/no/where cannot be written"],
  ])("%s", async (_, outputs, said) => {
    const words = outputs.flatMap((one) => ["--output", one.replace("same.out", join(folder, "same.out"))]);
    const { code, stdout, stderr } = await runCli("test", dump, "--spec", "specs/rag-agent.yaml", ...words);

    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr.replaceAll(`${folder}/`, "")).toContain(said);
    expect(existsSync(join(folder, "same.out"))).toBe(false);
  });

  test("no empty file stands for a report where nothing could be judged", async () => {
    const path = join(folder, "early.xml");
    const { code } = await runCli("test", dump, "--spec", "no-such.yaml", "--output", `junit=${path}`);
    expect([code, existsSync(path)]).toEqual([2, false]);
  });
});
