import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { commands } from "./agentci-commands.ts";
import { type Bench, matches, type Section, specOf } from "./harness.ts";
import { served } from "./scylla.ts";
import { argv } from "../support/run-cli.ts";

/** What `report` gives of runs of which so many pass. */
function reported(bench: Bench, passed: number, failed: number, blocks = "", ...words: readonly string[]) {
  const runs = [
    ...Array.from({ length: passed }, (_, at) => ({ durationMs: 1000 + 100 * at })),
    ...Array.from({ length: failed }, () => ({ answer: "Sorry." })),
  ];
  return bench.report(`correctness: { not_in_answer: [sorry] }\n${blocks}`, runs, ...words);
}

/** Saves one run, compares another with it, and gives what the command prints. */
async function compared(bench: Bench, before: object, after: object): Promise<string> {
  const spec = bench.file("spec.yaml", specOf("path: { max_tool_calls: 99 }"));
  const folder = ["--spec", spec, "--baseline-dir", bench.path("baselines")];
  for (const [version, run] of Object.entries({ v1: before, v2: after })) {
    const dump = bench.dump(run, `${version}.jsonl`);
    await bench.run(...argv`save ${dump} ${folder} --version ${version} --judge off`);
  }
  const diff = argv`diff ${folder} --baseline v1 --compare v2 --format json`;
  return (await bench.run(...diff)).stdout;
}

/** The exit codes of `test` with `--fail-on regression`, for a run as the saved one and for a worse one. */
async function regressionCodes(bench: Bench): Promise<readonly number[]> {
  await commands["`diff`"]?.(bench);
  const flags = argv`--spec ${bench.path("spec.yaml")} --judge off --baseline v1 --fail-on regression`;
  const codes: number[] = [];
  for (const run of ["good", "bad"]) {
    const words = argv`test ${bench.path(run)}.jsonl ${flags} --baseline-dir ${bench.path("baselines")}`;
    codes.push((await bench.run(...words)).code);
  }
  return codes;
}

export const evalview: Section = {
  "a report shows a red banner for a forbidden tool": async (bench) => {
    const { stdout } = await bench.print("path: { forbidden_tools: [refund] }", { tools: ["refund"] });
    expect(stdout).toMatch(/forbidden/i);
  },
  "trust report": async (bench) => {
    const tools = [{ name: "read", arguments: { path: "golden/expected.json" } }];
    const { metrics, checks } = await bench.test("path: { min_trust: 0.9 }", { tools, durationMs: 4000 });
    expect(metrics["trust"]).toBeLessThan(0.9);
    expect(checks["min_trust"]?.outcome).toBe("warn");
  },
  "`variance`: runs, pass rate, confidence": async (bench) => {
    const codeOf = async (gate: string): Promise<number> =>
      (await reported(bench, 4, 1, `reliability: { ${gate} }`)).code;
    expect(await codeOf("min_pass_rate: 0.8")).toBe(0);
    expect(await codeOf("min_pass_rate: 0.9")).toBe(1);
    expect(await codeOf("min_runs: 10, min_pass_rate: 0.8")).toBe(2);
  },
  "percentiles, z-interval, sample deviation": async (bench) => {
    const { groups } = await reported(bench, 4, 0, "", "--interval", "z");
    const low = 1150 - (1.959964 * 129.0994) / 2;
    matches(groups[0]?.metrics["latency_ms"], {
      p25: 1075,
      p50: 1150,
      p75: 1225,
      sample_std_dev: expect.closeTo(129.1, 1),
      interval: { low: expect.closeTo(low, 3) },
    });
  },
  "`runs` 10 (2–100), `pass_rate` 0.8 by default": async (bench) =>
    matches(await reported(bench, 1, 1), { code: 0, groups: [{ gate: null }] }),
  quarantine: async (bench) =>
    matches((await reported(bench, 2, 1)).quarantine, [{ key: "any", passed: 2, failed: 1 }]),
  // 0.4·(1 − 2·|0.75 − 0.5|) of the weights 0.4 and 0.1, the tools being known and alike.
  "flakiness formula and bands": async (bench) =>
    matches((await reported(bench, 3, 1)).groups[0]?.flakiness, {
      score: expect.closeTo(0.4, 9),
      band: "moderate_variance",
    }),
  "states PASSED, TOOLS_CHANGED, OUTPUT_CHANGED under 0.95, REGRESSION over 5 points": async (bench) => {
    const after = { tools: ["b"], answer: "Nobody knows where that parcel went." };
    const text = await compared(bench, { tools: ["a"] }, after);
    expect(text).toContain('"TOOLS_CHANGED"');
    expect(text).toContain('"OUTPUT_CHANGED"');
  },
  "parameter differences: missing, added, type, value with similarity": async (bench) => {
    const call = (args: object) => ({ tools: [{ name: "a", arguments: args }] });
    const text = await compared(bench, call({ q: "red", n: 1 }), call({ q: "blue", n: "1", x: 0 }));
    expect(text).toContain('"ARGS_CHANGED"');
  },
  "model and runtime fingerprint": async (bench) => {
    expect(await compared(bench, {}, { model: "gpt-4o" })).toContain('"MODEL_CHANGED"');
  },
  "`fail_on` REGRESSION, `--strict`": async (bench) => {
    const run = { tools: ["a"] };
    matches(await bench.test("path: { max_tool_calls: 0 }", run, "--fail-on", "warn"), { code: 1 });
    matches(await bench.test("path: { max_tool_calls: 0 }", run), { code: 0 });
    expect((await regressionCodes(bench))[1]).toBe(1);
  },
  "GitHub action: inputs, outputs, one comment per pull request, job summary": async (bench) => {
    const summary = bench.file("summary.md", "");
    bench.env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
    const blocks = "path: { forbidden_tools: [rm] }";
    const { stdout, stderr } = await bench.print(blocks, { tools: ["rm"] }, "--format", "markdown");
    expect(stdout).toContain("<!-- tracejury-report -->");
    expect(stderr).toMatch(/^::error /m);
    expect(readFileSync(summary, "utf8")).not.toBe("");
  },
  "trace artefact without content": async (bench) => {
    const spec = bench.file("spec.yaml", specOf("path: { max_tool_calls: 9 }"));
    const run = bench.dump({ answer: "Write to ann@example.com." });
    const words = argv`--spec ${spec} --version v1 --baseline-dir ${bench.path("b")} --judge off`;
    await bench.run("save", run, ...words, "--redact", "all");
    const kept = readFileSync(bench.path("b/shop-agent/any/v1.json"), "utf8");
    expect(kept).not.toContain("ann@example.com");
  },
  "Slack digest": served,
  'verdict "safe to ship", semantic blend': async (bench) =>
    expect(await regressionCodes(bench)).toEqual([0, 1]),
};
