import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { resultSchema } from "../../src/report/json/verdict-schema.ts";
import { recordedDump, type RecordedRun } from "../support/recorded-run.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

let dir = "";
beforeEach(() => {
  dir = temporaryFolder();
});

const right: Omit<RecordedRun, "trace"> = {
  query: "Where is order A-1001?",
  answer: "Order A-1001 arrives on 12 May.",
  tools: ["find_order", "track"],
  model: { calls: 2, tokens: 400 },
};

function dump(name: string, ...runs: readonly Partial<RecordedRun>[]): string {
  const file = join(dir, name);
  const whole = runs.map((run, at) => ({ ...right, trace: `${name.charAt(0)}${at}`, at: at * 1000, ...run }));
  writeFileSync(file, recordedDump(...whole));
  return file;
}

const good = () =>
  dump(
    "agood.jsonl",
    {},
    { answer: "It comes on 12 May, your order A-1001." },
    { answer: "You get A-1001 on 12 May." },
  );

describe("test --like", () => {
  test.each<[string, Partial<RecordedRun>, number, string]>([
    ["the same in other words", { answer: "A-1001: expect it on 12 May." }, 0, "pass"],
    ["another order", { tools: ["track", "find_order"] }, 1, "fail"],
    ["an extra tool", { tools: ["find_order", "track", "refund"] }, 1, "fail"],
    ["a wrong fact", { answer: "Order A-1001 arrives on 14 May." }, 1, "fail"],
    ["88 % more tokens", { model: { calls: 2, tokens: 752 } }, 0, "warn"],
  ])("judges %s by the good runs, without a spec", async (_, run, code, outcome) => {
    const from = good();
    const ran = await runCli("test", dump("bnow.jsonl", run), "--like", from, "--format", "json");
    const result = resultSchema.parse(JSON.parse(ran.stdout));

    expect(result.verdicts.map((verdict) => verdict.outcome)).toEqual([outcome]);
    expect(ran.code).toBe(code);
    expect(result.specs.map(({ file }) => file)).toEqual([`like ${from} (shop)`]);
    expect(ran.stderr).toContain(`tracejury init --from ${from}`);
    expect(readdirSync(dir).sort()).toEqual(["agood.jsonl", "bnow.jsonl"]);
  });

  test("says in the report what it judged by and how to keep it; what init keeps says the same", async () => {
    const from = good();
    const now = dump("bnow.jsonl", { tools: ["track", "find_order"] });
    const like = await runCli("test", now, "--like", from);
    expect(like.stdout).toContain(`The spec is derived from the good runs in ${from}; it was not saved`);
    expect(like.stdout).toContain(`tracejury init --from ${from}`);

    await runCli("init", "--from", from, "--dir", dir);
    const kept = await runCli("test", now, "--spec", join(dir, "specs/shop.yaml"), "--format", "json");
    const again = await runCli("test", now, "--like", from, "--format", "json");
    const checksOf = (text: string) =>
      resultSchema
        .parse(JSON.parse(text))
        .verdicts.map(({ layers }) => [layers.correctness, layers.path, layers.cost])
        .flat()
        .flatMap(({ checks }) => checks.map(({ check, outcome, message }) => [check, outcome, message]));
    expect(checksOf(again.stdout)).toEqual(checksOf(kept.stdout));
  });

  test("with --spec, and without a run, is exit code 2 and says why", async () => {
    const from = good();
    const both = await runCli("test", from, "--like", from, "--spec", "specs/rag-agent.yaml");
    expect(both).toMatchObject({ code: 2 });
    expect(both.stderr).toContain("use only one of the two options");
    const none = join(dir, "none.jsonl");
    writeFileSync(none, `${JSON.stringify({ resourceSpans: [] })}\n`);
    const empty = await runCli("test", from, "--like", none);
    expect(empty).toMatchObject({ code: 2 });
    expect(empty.stderr).toContain("no agent run");
  });
});
