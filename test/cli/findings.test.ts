import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentDump, type DumpedRun } from "../support/agent-dump.ts";
import { cli, runCli } from "../support/run-cli.ts";
import { temporaryFolder, temporaryFile } from "../support/temporary-folder.ts";

const good = "alpha beta gamma";
const spec = temporaryFile(
  "shop.yaml",
  `agent: shop
queries:
  - id: q1
    query: Q one?
    correctness:
      expected_in_answer: [alpha, beta, gamma]
      not_in_answer: [secret, password]
    path: { forbidden_tools: [bash, drop_database] }
  - id: any
    query: "*"
    correctness: { expected_in_answer: [alpha, beta] }
    path: { forbidden_tools: [bash, rm] }
`,
);

/** The exit code of `now`, compared with what `test` saved of `old`. */
async function compared(
  old: readonly DumpedRun[],
  now: readonly DumpedRun[],
  change = (json: string) => json,
) {
  const saved = join(temporaryFolder(), "saved.json");
  const common = ["--spec", spec, "--on-missing", "warn"];
  await runCli("test", temporaryFile("old.jsonl", agentDump(old)), ...common, "--output", `json=${saved}`);
  writeFileSync(saved, change(readFileSync(saved, "utf8")));
  return cli`test ${temporaryFile("now.jsonl", agentDump(now, 500))} ${common} --fail-on new ${saved}`;
}

const asked = (query: string, answer: string, tools: readonly string[] = []): DumpedRun => ({
  query,
  answer,
  tools,
});
const q1 = (answer: string, tools: readonly string[] = []) => asked("Q one?", answer, tools);
const times = (count: number, run: DumpedRun): readonly DumpedRun[] =>
  Array.from({ length: count }, () => run);

describe("--fail-on new", () => {
  test.each<[string, readonly DumpedRun[], readonly DumpedRun[], number]>([
    ["another forbidden tool", [q1(good, ["bash"])], [q1(good, ["drop_database"])], 1],
    [
      "the same error with other numbers",
      [{ ...q1(good), error: "no answer from 10.0.0.1:443 after 30 s" }],
      [{ ...q1(good), error: "no answer from 10.0.0.7:8443 after 31 s" }],
      0,
    ],
    ["a failure of a query that passed", [q1(good)], [q1("alpha")], 1],
    ["another question under *", [asked("Why?", "beta")], [asked("How?", "beta")], 1],
    ["another error", [{ ...q1(good), error: "time-out" }], [{ ...q1(good), error: "no such key" }], 1],
    ["what is unknown, where it failed before", [q1("alpha")], [{ ...q1(""), answer: null }], 2],
    [
      "a failure of the same rate",
      [...times(5, q1(good)), q1("alpha")],
      [...times(5, q1(good)), q1("alpha")],
      0,
    ],
    ["a rate that fell significantly", [...times(9, q1(good)), q1("alpha")], times(10, q1("alpha")), 1],
    ["a rate within chance", [...times(2, q1(good)), q1("alpha")], [q1(good), ...times(2, q1("alpha"))], 0],
    [
      "a finding that became more frequent where every run failed before",
      [...times(9, q1("alpha")), q1("alpha", ["bash"])],
      times(10, q1("alpha", ["bash"])),
      1,
    ],
    [
      "a question whose rate fell, hidden among others",
      [...times(9, asked("Why?", good)), asked("Why?", "-"), ...times(30, asked("How?", good))],
      [...times(10, asked("Why?", "-")), ...times(30, asked("How?", good))],
      1,
    ],
  ])("%s: exit code of the second is right", async (_, old, now, code) => {
    expect(await compared(old, now)).toMatchObject({ code });
  });

  test("says which query does worse", async () => {
    const { stdout } = await compared([...times(9, q1(good)), q1("alpha")], times(10, q1("alpha")));
    expect(stdout).toMatch(
      /q1 \("Q one\?"\) is worse than before: 10 of 10 runs failed, 1 of 10 in the saved result/,
    );
  });

  test("what a result of an earlier version does not say is not taken for known, and that is said", async () => {
    const older = (json: string): string => json.replaceAll(/"faults":\[[^\]]*\],/g, "");
    const two = await compared([q1("gamma")], [q1("gamma")], older);
    expect(two).toMatchObject({ code: 1 });
    expect(two.stdout).toMatch(
      /1 of the failed or undecided verdicts may be known problems[^\n]*save the result again/,
    );
    // What is at fault in a forbidden tool and in a single term was always written down.
    expect(await compared([q1(good, ["bash"])], [q1(good, ["bash"])], older)).toMatchObject({ code: 0 });
  });
});

async function diffed(old: readonly DumpedRun[], now: readonly DumpedRun[]) {
  const [before, after] = [
    temporaryFile("before.jsonl", agentDump(old)),
    temporaryFile("after.jsonl", agentDump(now, 500)),
  ];
  return runCli("diff", "--baseline", before, "--compare", after, "--spec", spec);
}

test.each<[string, readonly DumpedRun[], readonly DumpedRun[], number]>([
  [
    "another question under *, which passes",
    [asked("Why?", "-")],
    [asked("Why?", "-"), asked("How?", good)],
    0,
  ],
  ["a second run that fails", [q1(good)], [q1(good), q1("alpha")], 1],
  ["a rate that fell", [...times(9, q1(good)), q1("alpha")], times(10, q1("alpha")), 1],
])("diff of two dumps: %s", async (_, old, now, code) => {
  expect(await diffed(old, now)).toMatchObject({ code });
});

describe("a test without a verdict", () => {
  const other = temporaryFile("other.jsonl", agentDump([{ ...q1(good), agent: "shop-v2" }]));
  const wild = temporaryFile("wild.yaml", 'agent: shop\nqueries:\n  - { id: any, query: "*" }\n');

  test("is exit code 2, says which agent the runs are of, and what to do", async () => {
    const { code, stdout } = await runCli("test", other, "--spec", wild);
    expect(code).toBe(2);
    expect(stdout).toMatch(/no run was judged: a run of "shop-v2", but the spec is for the agent "shop"/);
    expect(stdout).toContain(
      `→ in ${wild}, write agent: "shop-v2", the agent of these runs, or agent: "*" for any agent`,
    );
    // The questions are not what is wrong.
    expect(stdout).not.toContain("tracejury coverage");
  });

  test("a run of another agent beside judged ones gets a spec of its own", async () => {
    const both = temporaryFile(
      "both.jsonl",
      agentDump([...times(12, q1(good)), { ...q1(good), agent: "shop-v2" }]),
    );
    const { code, stdout } = await runCli("test", both, "--spec", wild);
    expect(code).toBe(0);
    expect(stdout).toContain(`→ tracejury init --from ${both} --agent shop-v2`);
    expect(stdout).not.toContain("tracejury coverage");
  });

  test.each([
    ["all unmatched", [other, "--spec", wild]],
    [
      "a query without a run",
      [temporaryFile("one.jsonl", agentDump([asked("Why?", good)])), "--spec", spec, "--query", "q1"],
    ],
    ["no run at all", [temporaryFile("none.jsonl", ""), "--spec", wild]],
    ["an empty selection", [other, "--spec", wild, "--tags", "none"]],
  ])("%s: 2, and 0 with --allow-empty", async (_, words) => {
    expect((await runCli("test", ...words, "--on-missing", "warn")).code).toBe(2);
    expect((await runCli("test", ...words, "--allow-empty")).code).toBe(0);
  });

  test("--allow-empty allows nothing else: a run that is judged counts", async () => {
    const failing = temporaryFile("failing.jsonl", agentDump([q1("alpha")]));
    expect((await runCli("test", failing, "--spec", spec, "--allow-empty")).code).toBe(1);
    const half = temporaryFile("half.jsonl", agentDump([asked("Why?", good)]));
    expect((await runCli("test", half, "--spec", spec, "--allow-empty")).code).toBe(2);
  });

  test("a spec by which no run was judged is named where others judged some", async () => {
    const mine = temporaryFile("mine.jsonl", agentDump([asked("Why?", good)]));
    const theirs = temporaryFile("theirs.yaml", 'agent: billing\nqueries:\n  - { id: any, query: "*" }\n');
    const { code, stdout } = await runCli("test", mine, "--spec", wild, "--spec", theirs);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Specs that judged no run\n[^\n]*theirs\.yaml \(for the agent billing\)/);
  });
});

describe("reliability under * and patterns", () => {
  const gated = (limits: string, query = '"*"', more = ""): string =>
    temporaryFile(
      "gated.yaml",
      `agent: shop\nqueries:\n  - id: w\n    query: ${query}\n${more}    correctness: { expected_in_answer: [alpha] }\n    reliability: { ${limits} }\n`,
    );
  const mixed = [...times(18, asked("Order 1?", good)), ...times(2, asked("Order 2?", "-"))];

  test.each([
    ["min_pass_rate: 0.9", mixed, 1, "18 of 20 runs passed"],
    ["min_pass_rate: 0.9, pool: true", mixed, 0, "18 of 20 runs passed"],
    ["min_pass_rate: 0.95, pool: true", mixed, 1, "18 of 20 runs passed"],
    ["min_runs: 3, min_pass_rate: 0", mixed, 2, "18 of 20 runs passed"],
    ["min_pass_rate: 0.9", times(20, asked("Order 1?", good)), 0, "20 of 20 runs passed"],
  ])("{ %s }", async (limits, runs, code, rate) => {
    const dump = temporaryFile("runs.jsonl", agentDump(runs));
    const pattern = "    match: { pattern: 'Order \\d+\\?' }\n";
    for (const one of [gated(limits), gated(limits, "Order 1?", pattern)]) {
      const saved = join(temporaryFolder(), "gated.json");
      const { code: found, stdout } = await runCli("test", dump, "--spec", one, "--output", `json=${saved}`);
      expect(found).toBe(code);
      expect(stdout).toMatch(rate);
      expect((await runCli("report", dump, "--spec", one)).code).toBe(code);
      expect((await runCli("merge", saved)).code).toBe(code);
      expect((await runCli("report", saved, "--group-by", "agent")).code).toBe(code);
    }
  });

  test("with too few runs of each question, the gate names the key for one gate", async () => {
    const dump = temporaryFile("runs.jsonl", agentDump(mixed));
    const { stdout } = await runCli("test", dump, "--spec", gated("min_runs: 19"));
    expect(stdout).toContain("only 18 of 19 required runs passed or failed (1 more needed)");
    expect(stdout).toContain("for one gate over all questions, write `pool: true`");
  });

  test("a gate that no longer holds is new, one that did not hold before is not", async () => {
    const one = gated("min_pass_rate: 0.6");
    const runs = (bad: number) =>
      temporaryFile(
        "runs.jsonl",
        agentDump([...times(5 - bad, asked("A?", good)), ...times(bad, asked("A?", "-"))]),
      );
    const saved = async (bad: number): Promise<string> => {
      const path = join(temporaryFolder(), "gate.json");
      await runCli("test", runs(bad), "--spec", one, "--output", `json=${path}`);
      return path;
    };
    const newly = await runCli("test", runs(3), "--spec", one, "--fail-on", "new", await saved(2));
    expect(newly.code).toBe(1);
    const again = await runCli("test", runs(3), "--spec", one, "--fail-on", "new", await saved(3));
    expect(again.code).toBe(0);
  });

  test("gates of long questions that begin equally are different gates", async () => {
    const one = gated("min_pass_rate: 1");
    const long = (end: string): string => `${"Please answer in a short and friendly way: ".repeat(4)}${end}`;
    const runs = (bad: string): string =>
      temporaryFile(
        "runs.jsonl",
        agentDump(["a", "b"].map((end) => asked(long(end), end === bad ? "-" : good))),
      );
    const saved = join(temporaryFolder(), "gate.json");
    await runCli("test", runs("a"), "--spec", one, "--output", `json=${saved}`);
    expect((await runCli("test", runs("a"), "--spec", one, "--fail-on", "new", saved)).code).toBe(0);
    expect((await runCli("test", runs("b"), "--spec", one, "--fail-on", "new", saved)).code).toBe(1);
  });
});
