import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { commands } from "./agentci-commands.ts";
import { type Bench, matches, type Section, specOf } from "./harness.ts";
import { served } from "./scylla.ts";
import { argv } from "../support/run-cli.ts";

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
