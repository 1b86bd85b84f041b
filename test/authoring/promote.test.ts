import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { verdictSchema } from "../../src/report/json/verdict-schema.ts";
import { readCassette } from "../../src/model-server/cassettes/read-cassette.ts";
import { recordedDump, type RecordedRun } from "../support/recorded-run.ts";
import { completion, modelServer } from "../judge/support/model-server.ts";
import { cli, runCli, runCliWith } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const runs = "test/fixtures/runs";
const broken = `${runs}/rag-weather-broken.langgraph.jsonl`;
const fixed = `${runs}/rag-weather-fixed.langgraph.jsonl`;

let dir = "";
let spec = "";
beforeEach(() => {
  dir = temporaryFolder();
  spec = join(dir, "shop.yaml");
});

/** Another question's query: the spec has to have one. */
const otherQuery = "  - { id: hello, query: Hello, path: { max_tool_calls: 0 } }\n";
const refund = "Refund order 7";

function writeSpec(queries = otherQuery, agent = "shop"): void {
  writeFileSync(spec, `agent: ${agent} # ours\nqueries:\n${queries}`);
}

function writeDump(...recorded: readonly Partial<RecordedRun>[]): string {
  const file = join(dir, "dump.jsonl");
  writeFileSync(
    file,
    recordedDump(
      ...recorded.map((run, n) => ({ trace: `t${n}`, query: refund, answer: "Done.", at: n * 1000, ...run })),
    ),
  );
  return file;
}

/** The dump of a right run of the refund, to be named with --like. */
function writeGood(run: Partial<RecordedRun>, ...others: readonly RecordedRun[]): string {
  const file = join(dir, "good.jsonl");
  writeFileSync(file, recordedDump({ trace: "g", query: refund, answer: "Done.", ...run }, ...others));
  return file;
}

async function promoted(...words: string[]) {
  const { code, stdout, stderr } = await runCli("promote", ...words, "--spec", spec, "--format", "json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

/** Promotes in vain: exit 2, nothing written. */
async function refused(...words: string[]): Promise<string> {
  const [specBefore, filesBefore] = [readFileSync(spec, "utf8"), readdirSync(dir)];
  const { code, stdout, stderr } = await runCli("promote", ...words, "--spec", spec);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(readFileSync(spec, "utf8")).toBe(specBefore);
  expect(readdirSync(dir)).toEqual(filesBefore);
  return stderr;
}

function queriesOfSpec(): Record<string, never>[] {
  return parse(readFileSync(spec, "utf8")).queries;
}

async function outcomeIn(fixture: string, id: string): Promise<{ code: number; outcome: string }> {
  const { code, stdout } = await runCli("test", fixture, "--spec", spec, "--query", id, "--format", "json");
  return { code, outcome: JSON.parse(stdout).verdicts[0].outcome };
}

describe("--cassette", () => {
  test("writes the run's model calls beside its dump, and both are one recorded run", async () => {
    copyFileSync("specs/rag-agent.yaml", spec);
    const { fixture, cassette, verdict } = await promoted(broken, "--cassette");
    expect(readdirSync(join(dir, "fixtures"))).toHaveLength(2);
    expect(cassette).toBe(fixture.replace(/jsonl$/, "cassette.yaml"));
    expect(readCassette(cassette).run.id).toBe(verdict.run_id);

    const words = `test --exec false --spec ${spec} --query ${verdict.query_id} --format json`.split(" ");
    const { stdout } = await runCli(...words, "--models", `replay:${join(dir, "fixtures")}`);
    expect(JSON.parse(stdout).agent_calls).toHaveLength(1);
  });

  test("says why the model calls of a run cannot be played back", async () => {
    writeSpec();
    const words = ["promote", writeDump({}), "--spec", spec, "--answer", "refunded", "--cassette"];
    const { code, stderr } = await runCli(...words);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/cassette\.yaml: not written: the run has no recorded model call/),
    ]);
  });
});

describe("a run that no query is about", () => {
  test("gives a query with a `todo` and no expectation of its own, which is incomplete until it is filled", async () => {
    writeSpec();
    const dump = writeDump({ tools: ["delete_order", "delete_order"], answer: "Deleted." });
    const { query_id: id, fixture, todo, verdict } = await promoted(dump);

    const query = queriesOfSpec().at(-1) ?? {};
    expect(Object.keys(query)).toEqual(["id", "query", "tags", "todo"]);
    expect(JSON.stringify(query)).not.toMatch(/delete_order|Deleted/);
    expect({ todo, outcome: verdictSchema.parse(verdict).outcome }).toEqual({
      todo: true,
      outcome: "incomplete",
    });
    expect(await outcomeIn(fixture, id)).toEqual({ code: 2, outcome: "incomplete" });
    const { stdout } = await runCli("test", fixture, "--spec", spec, "--query", id);
    expect(stdout).toContain("→ Write what a correct run does");
  });

  test.each([
    [
      ["--expect-tools", "find_order,refund"],
      { path: { expected_tools: ["find_order", "refund"], severity: "fail" } },
    ],
    [["--forbid", "delete_order"], { path: { forbidden_tools: ["delete_order"], severity: "fail" } }],
    [
      ["--expect-sequence", "find_order,refund"],
      { path: { expected_tool_sequence: ["find_order", "refund"], severity: "fail" } },
    ],
    [["--max-calls", "1"], { path: { max_tool_calls: 1, severity: "fail" } }],
    [["--answer", "refunded", "--answer", "7"], { correctness: { expected_in_answer: ["refunded", "7"] } }],
  ] as const)("expects what %j says, and fails it", async (flags, expected) => {
    writeSpec();
    const dump = writeDump({ tools: ["delete_order", "delete_order"] });
    const { query_id: id, fixture } = await promoted(dump, ...flags);
    expect(queriesOfSpec().at(-1)).toEqual({ id, query: refund, tags: ["promoted"], ...expected });
    expect(await outcomeIn(fixture, id)).toEqual({ code: 1, outcome: "fail" });
  });

  test("and that ended in an error is expected to end well", async () => {
    writeSpec();
    const dump = writeDump({
      tools: ["find_order"],
      error: "rate limit exceeded",
      answer: undefined as never,
    });
    const { fixture, todo, verdict, query_id: id } = await promoted(dump);
    expect({ todo, error: verdict.error }).toEqual({ todo: false, error: "rate limit exceeded" });
    expect(queriesOfSpec().at(-1)).toEqual({
      id,
      query: refund,
      tags: ["promoted"],
      correctness: { run_status: "ok" },
    });
    expect(await outcomeIn(fixture, id)).toEqual({ code: 1, outcome: "fail" });
  });

  test("is refused when it passes its new test, and the message says which check holds", async () => {
    writeSpec();
    const dump = writeDump({ tools: ["find_order"] });
    expect(await refused(dump, "--forbid", "delete_order")).toMatch(
      /the run passes its new test, so nothing was written: forbidden_tools: no forbidden tool.*\n +fix: describe what a correct run does and this run did not: --like GOOD/,
    );
  });

  test("is refused when whether it fails is unknown", async () => {
    writeSpec();
    const dump = writeDump({ tools: [], answer: undefined as never });
    const said = await refused(dump, "--answer", "refunded");
    expect(said).toMatch(
      /is unknown, so nothing was written: expected_in_answer: .*\n +fix: Other content .* capture is on\. .* record the final answer/,
    );
  });

  test("is refused where the spec is about another agent", async () => {
    writeSpec(otherQuery, "another");
    const dump = writeDump({ tools: ["delete_order"] });
    expect(await refused(dump, "--forbid", "delete_order")).toMatch(/does not match the run: .*another/);
  });
});

describe("a run that a broader query matched", () => {
  const wildcard =
    "  # the rest\n  - query: '*'\n    match: { where: { service.name: shop } }\n    path: { forbidden_tools: [delete_order], max_tool_calls: 3 } # dear\n    cost: { max_llm_calls: 9 }\n";

  test("takes all of its checks, comments kept; those of the path fail", async () => {
    writeSpec(wildcard);
    const before = readFileSync(spec, "utf8");
    const dump = writeDump({ tools: ["find_order", "find_order", "find_order", "find_order"] });
    const { query_id: id, fixture } = await promoted(dump);
    expect(readFileSync(spec, "utf8").startsWith(before)).toBe(true);
    expect(queriesOfSpec().at(-1)).toEqual({
      id,
      query: refund,
      tags: ["promoted"],
      match: { where: { "service.name": "shop" } },
      path: { forbidden_tools: ["delete_order"], max_tool_calls: 3, severity: "fail" },
      cost: { max_llm_calls: 9 },
    });
    expect(await outcomeIn(fixture, id)).toEqual({ code: 1, outcome: "fail" });
  });

  test("fails by its path checks even where the spec softens them by name", async () => {
    writeSpec(`${wildcard}severity: { max_tool_calls: warn }\n`);
    const { query_id: id, fixture } = await promoted(writeDump({ tools: ["a", "b", "c", "d"] }));
    expect(await outcomeIn(fixture, id)).toEqual({ code: 1, outcome: "fail" });
  });

  test("is refused where only its costs warn, and the message names them", async () => {
    writeSpec("  - { query: '*', cost: { max_latency_ms: 1 } }\n");
    expect(await refused(writeDump({ tools: ["a"] }))).toMatch(
      /the run only warns in its new test, so nothing was written: max_latency_ms: /,
    );
  });
});

describe("--like", () => {
  test("expects what a right run of the same question in another dump did", async () => {
    const { code } = await (async () => {
      writeSpec("  - { id: hello, query: Hello }\n", "rag-agent");
      return runCli("promote", broken, "--spec", spec, "--like", fixed);
    })();
    expect(code).toBe(0);
    expect(queriesOfSpec().at(-1)).toMatchObject({
      path: { max_tool_calls: 0, max_loops: 0, severity: "fail" },
    });
  });

  test("takes the beginnings of ids that reports print, and shows the file that stays", async () => {
    writeSpec();
    const dump = writeDump({ tools: ["delete_order"] }, { tools: ["find_order", "refund"] });
    const listed = (await runCli("inspect", dump, "--format", "json")).stdout.trim().split("\n");
    const [bad = "", good = ""] = listed.map((line) => String(JSON.parse(line).run_id));
    const length = Math.max(6, Array.from(bad).findIndex((digit, at) => digit !== good[at]) + 1);
    const [badStart, goodStart] = [bad.slice(0, length), good.slice(0, length)];
    const words = ["promote", dump, "--spec", spec, "--run", `${badStart}…`, "--like", goodStart];
    const dry = JSON.parse((await runCli(...words, "--dry-run", "--format", "json")).stdout);
    expect(dry).toMatchObject({ run_id: bad, verdict: { source: { file: dump } } });
    const { fixture, verdict } = JSON.parse((await runCli(...words, "--format", "json")).stdout);
    expect(verdict).toMatchObject({ run_id: bad, source: { file: fixture, line: 1 } });
  });

  test("takes no beginning that several runs have", async () => {
    writeSpec();
    const dump = join(dir, "two.jsonl");
    const line = readFileSync(writeDump({ tools: ["delete_order"] }), "utf8");
    const trace = /"traceId":"([0-9a-f]{32})"/.exec(line)?.[1] ?? "";
    writeFileSync(dump, line + line.replaceAll(trace, `${trace.slice(0, 20)}ffffffffffff`));
    const error = await refused(dump, "--run", trace.slice(0, 12));
    expect(error).toContain(`the ids of 2 runs begin with ${trace.slice(0, 12)}`);
    expect(error).toContain("name one of them:");
  });

  const swapped = ["refund", "find_order"];
  const right = ["find_order", "refund"];
  const inOrder = { expected_tool_sequence: right, sequence_mode: "contains-in-order" };

  test("knows the order: a run with the same tools in another order fails", async () => {
    writeSpec();
    const like = writeGood({ tools: right });
    const { fixture, query_id: id } = await promoted(writeDump({ tools: swapped }), "--like", like);
    expect(queriesOfSpec().at(-1)).toMatchObject({ path: inOrder });
    expect(await outcomeIn(fixture, id)).toEqual({ code: 1, outcome: "fail" });
  });

  test.each<[string, readonly string[], string, object]>([
    ["repeated calls are one step", ["find_order", "find_order", "refund"], "", inOrder],
    ["one tool has no order", ["find_order"], "", { expected_tool_sequence: undefined }],
    [
      "what the spec says of the order stays",
      right,
      "{ expected_tool_sequence: [find_order], sequence_mode: contains }",
      { expected_tool_sequence: ["find_order"], sequence_mode: "contains" },
    ],
  ])("of the order: %s", async (_, tools, written, path) => {
    writeSpec(written === "" ? otherQuery : `  - id: refund\n    query: ${refund}\n    path: ${written}\n`);
    const like = writeGood({ tools });
    await promoted(
      writeDump({ tools: [...swapped, ...swapped, "delete_order", "delete_order"] }),
      "--like",
      like,
    );
    const query = queriesOfSpec().find(({ query }) => query === refund) ?? {};
    expect({ expected_tool_sequence: undefined, ...(query["path"] as object | undefined) }).toMatchObject(
      path,
    );
  });

  test.each([
    ["ended in an error", { error: "boom" }, [], /ended in an error/],
    [
      "fails the new test",
      { tools: ["refund"] },
      ["--forbid", "refund"],
      /of --like fails the new test, too/,
    ],
    [
      "was asked something else",
      { query: "Hello there" },
      [],
      /none of its runs has the query "Refund order 7"/,
    ],
  ] as const)("is refused when the run that it names %s", async (_, good, flags, said) => {
    writeSpec();
    const like = writeGood(good, { trace: "h", query: "Something else", answer: "Yes.", at: 9 });
    const dump = writeDump({ tools: ["delete_order"] });
    expect(await refused(dump, "--like", like, ...flags)).toMatch(said);
  });
});

describe("a question that the spec has already", () => {
  const known = (path: string): string => `  - id: refund # ours\n    query: ${refund}\n    path: ${path}\n`;

  test("gets no second query: the dump is written, and the failure shown", async () => {
    spec = join(dir, "rag.yaml");
    copyFileSync("specs/rag-agent.yaml", spec);
    const { code, stdout } = await runCli("promote", broken, "--spec", spec);
    expect(code).toBe(0);
    expect(stdout).toMatch(/already has a query for the run: weather\n\n FAIL /);
    expect(readFileSync(spec, "utf8")).toBe(readFileSync("specs/rag-agent.yaml", "utf8"));
  });

  test("--dry-run names the dump that would be written", async () => {
    spec = join(dir, "rag.yaml");
    copyFileSync("specs/rag-agent.yaml", spec);
    const { stdout } = await runCli("promote", broken, "--spec", spec, "--dry-run");
    expect(stdout).toMatch(
      /^nothing written \(--dry-run\); promote would write \S*fixtures\/weather-\S*\.jsonl; /,
    );
    expect(readdirSync(dir)).toEqual(["rag.yaml"]);
  });

  test("fails by the path checks that only warned", async () => {
    writeSpec(known("{ max_tool_calls: 1 }"));
    const { fixture, appended, changed } = await promoted(writeDump({ tools: ["a", "b"] }));
    expect({ appended, changed }).toEqual({ appended: false, changed: true });
    expect(queriesOfSpec()).toEqual([
      { id: "refund", query: refund, path: { max_tool_calls: 1 }, severity: { max_tool_calls: "fail" } },
    ]);
    expect(readFileSync(spec, "utf8")).toContain("id: refund # ours");
    expect(await outcomeIn(fixture, "refund")).toEqual({ code: 1, outcome: "fail" });
  });

  test("is given what options expect, beside what it expects; a limit is never raised", async () => {
    writeSpec(known("{ forbidden_tools: [drop], max_tool_calls: 1 }"));
    await promoted(writeDump({ tools: ["a", "b"] }), "--forbid", "b", "--max-calls", "5");
    expect(queriesOfSpec()[0]).toMatchObject({
      path: { forbidden_tools: ["drop", "b"], max_tool_calls: 1 },
      severity: { forbidden_tools: "fail", max_tool_calls: "fail" },
    });
  });

  test("gets the `todo` where it expects nothing", async () => {
    writeSpec(`  - { id: refund, query: ${refund} }\n`);
    const { todo } = await promoted(writeDump({ tools: ["a"] }));
    expect(todo).toBe(true);
    expect(queriesOfSpec()[0]).toMatchObject({ id: "refund", todo: expect.stringMatching(/^Write what/) });
  });
});

describe("--expected-fail and --flip", () => {
  const bad = (): string => writeDump({ tools: ["delete_order"] });
  const isExpected = (): boolean => "expected_fail" in (queriesOfSpec().at(-1) ?? {});

  test("the test warns until the agent is fixed; by the query's id the key is removed", async () => {
    writeSpec();
    const { fixture, query_id: id } = await promoted(bad(), "--forbid", "delete_order", "--expected-fail");
    expect(isExpected()).toBe(true);
    expect(await outcomeIn(fixture, id)).toEqual({ code: 0, outcome: "warn" });

    const { code, stdout } = await runCli("promote", "--flip", id, "--spec", spec);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `removed expected_fail from query ${id} in ${spec}\n`,
    });
    expect(isExpected()).toBe(false);
    expect(readFileSync(spec, "utf8")).toContain("# ours");
    expect(await outcomeIn(fixture, id)).toEqual({ code: 1, outcome: "fail" });
  });

  test("with a dump, only where its runs pass", async () => {
    writeSpec();
    const { fixture } = await promoted(bad(), "--forbid", "delete_order", "--expected-fail");
    const still = await runCli("promote", fixture, "--flip", "--spec", spec);
    expect(still).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^kept refund-order-7: run .* still fails\n$/),
    });
    expect(isExpected()).toBe(true);
    const fixedDump = writeDump({ tools: ["refund"] });
    expect(await runCli("promote", fixedDump, "--flip", "--spec", spec)).toMatchObject({ code: 0 });
    expect(isExpected()).toBe(false);
  });

  test.each([
    [["hello"], /kept hello: the query has no `expected_fail`/],
    [[], /--flip needs the id of a query, or a dump/],
  ])("has nothing to do with %j", async (names, said) => {
    writeSpec();
    const { code, stdout, stderr } = await runCli("promote", ...names, "--flip", "--spec", spec);
    expect(code).toBe(2);
    expect(stdout + stderr).toMatch(said);
  });
});

describe("what is written", () => {
  const email = "jo.doe@example.com";
  const secrets = {
    "db.password": "hunter2hunter2",
    "app.config": JSON.stringify({ db: { password: "hunter2hunter2" } }),
    "app.map": { db: { password: "hunter2hunter2" }, list: [{ api_key: "hunter2hunter2" }] },
  };
  const leaky = (): string =>
    writeDump({ query: `Refund ${email}`, tools: ["delete_order"], attributes: secrets });

  test.each(["secrets", "all"])(
    "a fixture written with --redact %s contains no credential of any form",
    async (redact) => {
      writeSpec();
      const { fixture } = await promoted(leaky(), "--forbid", "delete_order", "--redact", redact);
      expect(readFileSync(fixture, "utf8")).not.toContain("hunter2");
      expect(readFileSync(fixture, "utf8").includes(email)).toBe(redact === "secrets");
      expect(readFileSync(spec, "utf8").includes(email)).toBe(redact === "secrets");
    },
  );

  test.each(["none", "secrets", "all"])(
    "has no e-mail address as a file name or an id, with --redact %s",
    async (redact) => {
      writeSpec();
      const { fixture, query_id: id } = await promoted(
        leaky(),
        "--forbid",
        "delete_order",
        "--redact",
        redact,
      );
      expect(id).toBe("refund-email");
      expect(fixture).toMatch(/\/refund-email-[0-9a-f]{8}\.jsonl$/);
      expect(existsSync(fixture)).toBe(true);
    },
  );

  test.each(["promote", "propose"])("%s: a name that is neither a dump nor an id", async (command) => {
    writeSpec();
    const { code, stderr } = await runCli(command, "zzz", "--spec", spec);
    expect(code).toBe(2);
    expect(stderr).toMatch(/zzz is neither a file nor a folder, nor the id of a trace or run/);
  });

  test("is nothing with --dry-run, which shows the query and the failure", async () => {
    writeSpec();
    const before = readFileSync(spec, "utf8");
    const dump = writeDump({ tools: ["delete_order"] });
    const { code, stdout } = await cli`promote ${dump} --spec ${spec} --forbid delete_order --dry-run`;
    expect(code).toBe(0);
    expect(stdout).toMatch(/nothing written[\s\S]*- id: refund-order-7[\s\S]*FORBIDDEN TOOL/);
    expect(readFileSync(spec, "utf8")).toBe(before);
    expect(readdirSync(dir).sort()).toEqual(["dump.jsonl", "shop.yaml"]);
  });
});

describe("a run that fails by a judge", () => {
  const rubric = "  - { query: '*', correctness: { llm_judge: [{ rule: The refund is confirmed. }] } }\n";

  test("is promoted with the rubric, which the judge is asked at once", async () => {
    writeSpec(`${rubric}judge_config: { model: openai/judge-1 }\n`);
    const { url } = await modelServer(() => completion({ score: 1, label: "fail", rationale: "It is not." }));
    const env = { OPENAI_API_KEY: "sk-judge-0123456789abcdef", OPENAI_BASE_URL: `${url}/v1` };
    const { code, stdout } = await runCliWith({ env }, "promote", writeDump({}), "--spec", spec);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/✗ llm_judge[\s\S]*judge: It is not\./),
    });
  });

  test("is refused without a judge, because the result is undecided", async () => {
    writeSpec(`${rubric}judge_config: { model: openai/judge-1 }\n`);
    expect(await refused(writeDump({}))).toMatch(
      /is unknown, so nothing was written: llm_judge[\s\S]*OPENAI_API_KEY/,
    );
  });
});

describe("the run to promote", () => {
  test("is the first that failed; the others are named", async () => {
    writeSpec("  - { query: '*', path: { forbidden_tools: [delete_order] } }\n");
    const dump = writeDump(
      { tools: ["find"] },
      { tools: ["delete_order"] },
      { tools: ["delete_order"], query: "And 8" },
    );
    const { code, stdout, stderr } = await runCli("promote", dump, "--spec", spec, "--format", "json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout).verdict.outcome).toBe("fail");
    expect(stderr).toMatch(/^not promoted: \S+ And 8 \(name it with --run\)\n$/);
  });

  test.each(["052a76cf024d", "052a76cf024d…"])(
    "cannot be named by %s, which a report has shortened",
    async (id) => {
      const { code, stderr } = await runCli("promote", id, "--spec", "specs/rag-agent.yaml");
      expect(code).toBe(2);
      expect(stderr).toContain(`${id} is neither a file nor a complete trace or run id`);
    },
  );
});
