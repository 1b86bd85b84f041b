import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { completion } from "../judge/support/model-server.ts";
import { commands } from "./agentci-commands.ts";
import { type Bench, correctnessOf, matches, type Proof, type Section, specOf } from "./harness.ts";
import { argv } from "../support/run-cli.ts";

/** A spec of one query with this preset. */
const preset = (name: string, blocks: string) =>
  specOf(blocks).replace("version: 1\n", `version: 1\npreset: ${name}\n`);

/** The share of 1 that a judge of weighted criteria gives each of them. */
const rates = (share: number) =>
  completion({
    rationale: "r",
    criteria: ["answers_question", "accurate", "structured", "follows_instructions"].map((id) => ({
      id,
      reason: "r",
      applicable: true,
      score: share,
    })),
  });

const onlyTools = "scoring: { weights: { tool_accuracy: 1, output_quality: 0, sequence_correctness: 0 } }";
const onlySequence = "scoring: { weights: { tool_accuracy: 0, output_quality: 0, sequence_correctness: 1 } }";

async function scoreOf(
  bench: Bench,
  blocks: string,
  tools: readonly string[],
): Promise<number | null | undefined> {
  return (await bench.test(blocks, { tools })).metrics["score"];
}

/** What `report` says of runs of which so many pass. */
async function reported(
  bench: Bench,
  passed: number,
  failed: number,
  blocks = "",
  ...words: readonly string[]
) {
  const spec = bench.file("spec.yaml", specOf(`correctness: { not_in_answer: [sorry] }\n${blocks}`));
  const runs = [
    ...Array.from({ length: passed }, (_, at) => ({ durationMs: 1000 + 100 * at })),
    ...Array.from({ length: failed }, () => ({ answer: "Sorry." })),
  ];
  const flags = ["--spec", spec, "--judge", "off", "--format", "json", ...words];
  const { code, stdout } = await bench.run("report", bench.dump(runs), ...flags);
  return { code, ...JSON.parse(stdout) };
}

/** Saves one run, compares another with it, and gives what the command prints. */
async function compared(bench: Bench, before: object, after: object): Promise<string> {
  const spec = bench.file("spec.yaml", specOf("path: { max_tool_calls: 99 }"));
  const folder = ["--spec", spec, "--baseline-dir", bench.path("baselines")];
  for (const [version, run] of Object.entries({ v1: before, v2: after })) {
    const dump = bench.dump(run, `${version}.jsonl`);
    await bench.run(...argv`save ${dump} ${folder} --version ${version} --judge off`);
  }
  return (await bench.run("diff", ...folder, "--baseline", "v1", "--compare", "v2", "--format", "json"))
    .stdout;
}

function proofOf(rule: string): Proof {
  const proof = commands[rule];
  if (proof === undefined) throw new Error(`no proof of ${rule}`);
  return proof;
}

export const evalview: Section = {
  "forbidden tools: names ignore case and separators, and a call always fails": async (bench) => {
    for (const called of ["EditFile", "edit-file", "edit_file"]) {
      const { code, verdict } = await bench.test("path: { forbidden_tools: [edit_file] }", {
        tools: [called, called],
      });
      expect([code, verdict.hard_fail]).toEqual([1, true]);
    }
  },
  "tool categories: eight defaults, and those of the project": async (bench) => {
    const outcome = async (blocks: string, tools: readonly string[]) =>
      (await bench.test(blocks, { tools })).checks["expected_tool_categories"];
    matches(await outcome("path: { expected_tool_categories: [file_read, web] }", ["read_file", "curl"]), {
      outcome: "pass",
      value: 1,
    });
    const own = "path: { tool_categories: { billing: [refund] }, expected_tool_categories: [billing] }";
    matches(await outcome(own, ["refund"]), { outcome: "pass" });
    matches(await outcome(own, ["search"]), { outcome: "warn" });
  },
  "sequence modes: subsequence, exact, unordered": async (bench) => {
    const of = async (mode: string, tools: readonly string[]) => {
      const blocks = `path: { expected_tool_sequence: [a, b], sequence_mode: ${mode} }`;
      return (await bench.test(preset("evalview", blocks), { tools })).checks["expected_tool_sequence"]
        ?.outcome;
    };
    expect([await of("subsequence", ["a", "x", "b"]), await of("subsequence", ["b", "a"])]).toEqual([
      "pass",
      "warn",
    ]);
    expect([await of("exact", ["a", "b"]), await of("exact", ["a", "x", "b"])]).toEqual(["pass", "warn"]);
    expect([await of("unordered", ["b", "a"]), await of("unordered", ["a"])]).toEqual(["pass", "warn"]);
  },
  "regex ignores case, `.` matches a newline": async (bench) => {
    const blocks = "correctness: { regex_match: 'DONE.now' }";
    const run = { answer: "done\nnow" };
    expect((await bench.test(preset("evalview", blocks), run)).checks["regex_match"]?.outcome).toBe("pass");
    expect((await bench.test(blocks, run)).checks["regex_match"]?.outcome).toBe("fail");
  },
  "`max_cost`, `max_latency` fail": async (bench) => {
    const blocks = "cost: { max_cost_usd: 0.000001, max_latency_ms: 1 }";
    expect((await bench.test(preset("evalview", blocks), {})).verdict.layers.cost.outcome).toBe("fail");
    expect((await bench.test(blocks, {})).verdict.layers.cost.outcome).toBe("warn");
  },
  "output quality 0–100": async (bench) => {
    await bench.judge(() => rates(0.75));
    const blocks = "scoring: { weights: { tool_accuracy: 0, output_quality: 1, sequence_correctness: 0 } }";
    expect(await scoreOf(bench, blocks, [])).toBeCloseTo(75, 9);
  },
  "overall score and `min_score`": async (bench) => {
    await bench.judge(() => rates(0.9));
    const blocks = "path: { expected_tools: [a], expected_tool_sequence: [a] }\nscoring: { min_score: 96 }";
    const { metrics, checks } = await bench.test(blocks, { tools: ["a"] });
    expect(metrics["score"]).toBeCloseTo(95, 9);
    matches(checks["scoring.min_score"], { outcome: "warn" });
  },
  "tool accuracy: share of expected tools and categories that were used; extra tools do not lower it": async (
    bench,
  ) => {
    const blocks = `path: { expected_tools: [a, b], expected_tool_categories: [web, git] }\n${onlyTools}`;
    expect(await scoreOf(bench, blocks, ["a", "curl", "think"])).toBe(50);
  },
  "sequence score: greedy in-order, by position, or as a multiset, divided by the expected length": async (
    bench,
  ) => {
    const of = (mode: string, expected: string, actual: readonly string[]) =>
      scoreOf(
        bench,
        `path: { expected_tool_sequence: [${expected}], sequence_mode: ${mode} }\n${onlySequence}`,
        actual,
      );
    expect(await of("subsequence", "a, b, c", ["a", "c", "b"])).toBeCloseTo(200 / 3, 9);
    expect(await of("exact", "a, b", ["a", "x", "b"])).toBe(50);
    expect(await of("unordered", "a, a, b", ["a", "b"])).toBeCloseTo(200 / 3, 9);
  },
  "weights, global or per test, must add up to 1 ± 0.001": async (bench) => {
    const weights = (sequence: number) =>
      `scoring: { weights: { tool_accuracy: 0.3, output_quality: 0.5, sequence_correctness: ${sequence} } }`;
    const codes = [(await bench.validate(weights(0.2))).code, (await bench.validate(weights(0.3))).code];
    expect(codes).toEqual([0, 1]);
  },
  "`output.contains`, `not_contains`, regex, JSON schema; penalties 15 and 20": async (bench) => {
    const { verdict } = await bench.test(
      "correctness: { expected_in_answer: [tracking], not_in_answer: [way], regex_match: '^No', json_schema: { type: object } }",
      {},
    );
    expect(correctnessOf(verdict).map(({ outcome }) => outcome)).toEqual(["fail", "fail", "fail", "fail"]);
  },
  "safety and PII checks": async (bench) => {
    await bench.judge(() => completion({ score: 1, label: "fail", rationale: "It names a person." }));
    const { checks } = await bench.test(
      "correctness: { llm_judge: [{ rubric: personal_data@1 }], safety_check: true }",
      {},
    );
    matches(checks, { llm_judge: { outcome: "fail" }, safety_check: { outcome: "skip" } });
  },
  "one failing turn fails a multi-turn test": async (bench) => {
    const spec = `version: 1
agent: "*"
queries:
  - id: talk
    query: Where is order 7?
    scope: conversation
    turns:
      - { query: Where is order 7?, path: { forbidden_tools: [refund] } }
      - { query: Cancel it., correctness: { not_in_answer: [sorry] } }
`;
    const { verdict } = await bench.test(spec, [
      { query: "Where is order 7?", conversation: "c", tools: ["refund"] },
      { query: "Cancel it.", answer: "It is cancelled.", conversation: "c" },
    ]);
    expect([verdict.outcome, verdict.hard_fail]).toEqual(["fail", true]);
  },
  "`adapter_config.sequence_mode`": async (bench) => {
    const text = `version: 1
agent: "*"
defaults: { path: { sequence_mode: contains-in-order } }
queries: [{ query: "*", id: any, path: { expected_tool_sequence: [a, b] } }]
`;
    matches((await bench.test(text, { tools: ["a", "x", "b"] })).checks["expected_tool_sequence"], {
      outcome: "pass",
    });
  },
  "a report shows a red banner for a forbidden tool": async (bench) => {
    const spec = bench.file("spec.yaml", specOf("path: { forbidden_tools: [refund] }"));
    const { stdout } = await bench.run(
      ...argv`test ${bench.dump({ tools: ["refund"] })} --spec ${spec} --judge off`,
    );
    expect(stdout).toMatch(/forbidden/i);
  },
  "a forbidden tool scores 0": async (bench) => {
    const blocks = `path: { expected_tools: [a], forbidden_tools: [rm] }\n${onlyTools}`;
    expect((await bench.test(preset("evalview", blocks), { tools: ["a", "rm"] })).metrics["score"]).toBe(0);
  },
  "hallucination fails the test at confidence ≥ 0.98; a failed check passes": async (bench) => {
    const server = await bench.judge(() => ({ status: 400, body: { error: { message: "no" } } }));
    const { checks } = await bench.test("correctness: { hallucination_check: true }", {
      tools: [{ name: "lookup", result: "sent on Monday" }],
    });
    expect(checks["hallucination_check"]?.outcome).toBe("error");
    expect(JSON.stringify(server.received[0]?.body)).toContain("sent on Monday");
  },
  "behaviour anomalies: loops with the same arguments": async (bench) => {
    const tool = { name: "a", arguments: { q: 1 } };
    const { metrics } = await bench.test("path: {}", { tools: [tool, tool, tool] });
    matches(metrics, { same_argument_loops: 1, loops: 2 });
  },
  "progress stall, brittle recovery, skipped steps, excessive retries": async (bench) => {
    const failed = { name: "pay", arguments: { id: 1 }, error: "no" };
    const { metrics } = await bench.test("path: { expected_steps: [pay, ship] }", {
      tools: [failed, failed],
    });
    matches(metrics, {
      unrecovered_errors: expect.any(Number),
      skipped_steps: 1,
      retries: expect.any(Number),
    });
    expect(metrics).toHaveProperty("stalled_calls");
  },
  "anomaly report: loops, stalls, brittle recovery, excessive retries, skipped steps": async (bench) => {
    const tool = { name: "a", arguments: { q: 1 } };
    const { checks } = await bench.test("path: { max_anomalies: 0 }", {
      tools: [tool, tool, tool, tool, tool],
    });
    matches(checks["max_anomalies"], { outcome: "warn" });
  },
  "trust report": async (bench) => {
    const { metrics, checks } = await bench.test("path: { min_trust: 0.9 }", {
      tools: [{ name: "read", arguments: { path: "golden/expected.json" } }],
      durationMs: 4000,
    });
    expect(metrics["trust"]).toBeLessThan(0.9);
    expect(checks["min_trust"]?.outcome).toBe("warn");
  },
  "coherence report": async (bench) => {
    const spec = `version: 1
agent: "*"
queries:
  - { id: talk, query: Is the shop open?, scope: conversation, path: { min_coherence: 0.9 } }
`;
    const { metrics } = await bench.test(spec, [
      { query: "Is the shop open?", answer: "The shop is open.", conversation: "c" },
      { query: "Sure?", answer: "The shop is not open.", conversation: "c" },
    ]);
    expect(metrics["coherence"]).toBeCloseTo(0.8, 9);
  },
  "reason codes": async (bench) => {
    const { checks } = await bench.test("path: { expected_tools: [a], forbidden_tools: [b] }", {
      tools: ["b"],
    });
    matches(checks, {
      expected_tools: { reasons: [{ code: "TOOL_MISSING", expected: "a" }] },
      forbidden_tools: { reasons: [{ code: "TOOL_FORBIDDEN", actual: "b" }] },
    });
  },
  "`variance`: runs, pass rate, confidence": async (bench) => {
    const gate = (written: string) => `reliability: { ${written} }`;
    expect((await reported(bench, 4, 1, gate("min_pass_rate: 0.8"))).code).toBe(0);
    expect((await reported(bench, 4, 1, gate("min_pass_rate: 0.9"))).code).toBe(1);
    expect((await reported(bench, 4, 1, gate("min_runs: 10, min_pass_rate: 0.8"))).code).toBe(2);
  },
  "`min_mean_score`, `max_std_dev`": async (bench) => {
    const gated = (limit: string) => `path: { expected_tools: [a] }\n${onlyTools}\nreliability: { ${limit} }`;
    const runs = [{ tools: ["a"] }, { tools: ["a"] }, {}];
    const gate = async (limit: string) =>
      (await bench.test(gated(limit), runs)).result.groups[0]?.gate.outcome;
    expect([await gate("min_mean_score: 60"), await gate("min_mean_score: 70")]).toEqual(["pass", "fail"]);
    expect([await gate("max_std_dev: 60"), await gate("max_std_dev: 50")]).toEqual(["pass", "fail"]);
  },
  "percentiles, z-interval, sample deviation": async (bench) => {
    const { groups } = await reported(bench, 4, 0, "", "--interval", "z");
    matches(groups[0].metrics.latency_ms, {
      p25: 1075,
      p50: 1150,
      p75: 1225,
      sample_std_dev: expect.closeTo(129.1, 1),
    });
    const half = (1.959964 * 129.0994) / 2;
    expect(groups[0].metrics.latency_ms.interval.low).toBeCloseTo(1150 - half, 3);
  },
  "`runs` 10 (2–100), `pass_rate` 0.8 by default": async (bench) => {
    const { code, groups } = await reported(bench, 1, 1);
    expect([code, groups[0].gate]).toEqual([0, null]);
  },
  quarantine: async (bench) => {
    const { quarantine } = await reported(bench, 2, 1);
    matches(quarantine, [{ key: "any", passed: 2, failed: 1 }]);
  },
  "flakiness formula and bands": async (bench) => {
    // 0.4·(1 − 2·|0.75 − 0.5|) of the weights 0.4 and 0.1, the tools being known and alike.
    const { groups } = await reported(bench, 3, 1);
    matches(groups[0].flakiness, { score: expect.closeTo(0.4, 9), band: "moderate_variance" });
  },
  "a baseline has up to five accepted variants, and the best match counts": async (bench) => {
    const blocks = "path: { accepted_tool_sequences: [[a, b], [a, c], [d]] }";
    expect(
      await bench.outcomes(blocks, "accepted_tool_sequences", [{ tools: ["a", "c"] }, { tools: ["c", "a"] }]),
    ).toEqual(["pass", "warn"]);
  },
  "states PASSED, TOOLS_CHANGED, OUTPUT_CHANGED under 0.95, REGRESSION over 5 points": async (bench) => {
    const text = await compared(
      bench,
      { tools: ["a"] },
      { tools: ["b"], answer: "Nobody knows where that parcel went." },
    );
    expect(text).toContain('"TOOLS_CHANGED"');
    expect(text).toContain('"OUTPUT_CHANGED"');
  },
  "parameter differences: missing, added, type, value with similarity": async (bench) => {
    const call = (args: object) => ({ tools: [{ name: "a", arguments: args }] });
    expect(await compared(bench, call({ q: "red", n: 1 }), call({ q: "blue", n: "1", x: 0 }))).toContain(
      '"ARGS_CHANGED"',
    );
  },
  "model and runtime fingerprint": async (bench) => {
    expect(await compared(bench, {}, { model: "gpt-4o" })).toContain('"MODEL_CHANGED"');
  },
  "`fail_on` REGRESSION, `--strict`": async (bench) => {
    expect(
      (await bench.test("path: { max_tool_calls: 0 }", { tools: ["a"] }, "--fail-on", "warn")).code,
    ).toBe(1);
    expect((await bench.test("path: { max_tool_calls: 0 }", { tools: ["a"] })).code).toBe(0);
    await proofOf("`diff`")(bench);
    const words = ["--baseline", "v1", "--baseline-dir", bench.path("baselines"), "--fail-on", "regression"];
    const flags = ["--spec", bench.path("spec.yaml"), "--judge", "off"];
    expect((await bench.run("test", bench.path("bad.jsonl"), ...flags, ...words)).code).toBe(1);
  },
  "GitHub action: inputs, outputs, one comment per pull request, job summary": async (bench) => {
    const summary = bench.file("summary.md", "");
    bench.env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
    const spec = bench.file("spec.yaml", specOf("path: { forbidden_tools: [rm] }"));
    const words = ["--spec", spec, "--judge", "off", "--format", "markdown"];
    const { stdout, stderr } = await bench.run("test", bench.dump({ tools: ["rm"] }), ...words);
    expect(stdout).toContain("<!-- tracejury-report -->");
    expect(stderr).toMatch(/^::error /m);
    expect(readFileSync(summary, "utf8")).not.toBe("");
  },
  "trace artefact without content": async (bench) => {
    const spec = bench.file("spec.yaml", specOf("path: { max_tool_calls: 9 }"));
    const words = ["--spec", spec, "--version", "v1", "--baseline-dir", bench.path("b"), "--judge", "off"];
    const run = { answer: "Write to ann@example.com." };
    await bench.run("save", bench.dump(run), ...words, "--redact", "all");
    const kept = readFileSync(bench.path("b/shop-agent/any/v1.json"), "utf8");
    expect(kept).not.toContain("ann@example.com");
  },
  "Slack digest": async (bench) => {
    const { received, url } = await bench.judge(() => ({ body: "ok" }));
    await bench.serve(
      { answer: "Sorry." },
      specOf("correctness: { not_in_answer: [sorry] }"),
      `export: { webhook: [{ url: "${url}/slack", format: slack }] }
security: { allowed_networks: [127.0.0.0/8] }
`,
    );
    await expect.poll(() => received.length).toBeGreaterThan(0);
    expect(JSON.stringify(received[0]?.body)).toMatch(/blocks.*not_in_answer/);
  },
  'verdict "safe to ship", semantic blend': async (bench) => {
    await proofOf(
      "regression: pass becomes fail, or tool calls more than double and increase by more than 3",
    )(bench);
    const words = ["--baseline", "v1", "--baseline-dir", bench.path("baselines"), "--fail-on", "regression"];
    const flags = ["--spec", bench.path("spec.yaml"), "--judge", "off"];
    expect((await bench.run("test", bench.path("good.jsonl"), ...flags, ...words)).code).toBe(0);
    expect((await bench.run("test", bench.path("bad.jsonl"), ...flags, ...words)).code).toBe(1);
  },
};
