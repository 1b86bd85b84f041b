import { z } from "zod";
import type { Folder } from "../folder.ts";
import { defineTool, type Tool, ToolError } from "../tool.ts";
import type { Called, Workbench } from "../workbench.ts";

const paths = z.array(z.string().min(1).max(4096)).min(1).max(100);
const dumpFiles = paths.describe(
  "Dump files or folders, as written by exporters or the Collector's file exporter",
);

export interface DumpToolsOptions {
  readonly workbench: Workbench;
  readonly folder: Folder;
  readonly mayAskJudges: boolean;
  /** Whether `run_spec` may run programs that a spec names in `checks:`. */
  readonly mayRunCommands: boolean;
}

export function dumpTools(options: DumpToolsOptions): readonly Tool[] {
  const { workbench, folder, mayAskJudges, mayRunCommands } = options;
  const existing = (names: readonly string[]): string[] => names.map((name) => folder.existing(name));
  return [
    defineTool({
      name: "run_spec",
      title: "Judge recorded runs by a spec",
      description:
        "Replays dumps and judges the runs in them by specs: each run's three layers, counts, and an exit code (0 passed, 1 failed, " +
        `2 undecided). ${mayRunCommands ? "Runs the programs that the specs' `checks:` name." : "Runs no program: `checks:` of a spec are incomplete."}`,
      input: {
        dumps: dumpFiles,
        specs: paths.describe("Spec files"),
        queries: z
          .array(z.string().min(1).max(1000))
          .max(100)
          .describe("Only these queries, by id or text")
          .default([]),
        judge: z
          .enum(["off", "auto"])
          .describe("auto asks language models, which costs money")
          .default("off"),
      },
      hasEffects: mayRunCommands,
      run: async ({ dumps, specs, queries, judge }) => {
        if (judge === "auto" && !mayAskJudges) {
          throw new ToolError(
            'judges are not allowed: leave judge "off", or start this server with --allow-judges',
          );
        }
        const files = { dumps: existing(dumps), specs: existing(specs) };
        return outputOf(await workbench.test({ ...files, queries, judge, mayRunCommands }));
      },
    }),
    defineTool({
      name: "inspect_dump",
      title: "Show recorded runs",
      description: "The runs in dumps, without a spec: as a tree of steps, or as JSON with all fields.",
      input: {
        dumps: dumpFiles,
        run_id: z.string().min(1).max(200).describe("Only this run, as JSON").optional(),
        format: z.enum(["tree", "json"]).default("tree"),
      },
      run: async ({ dumps, run_id: id, format }) => {
        const called = await workbench.inspect(existing(dumps), id === undefined ? format : "json");
        return id === undefined ? outputOf(called) : lineOf(called, id);
      },
    }),
    defineTool({
      name: "doctor",
      title: "Evidence in the telemetry",
      description:
        "The producers of the telemetry, its evidence, the checks of the specs that can be decided, and the settings that record missing evidence.",
      input: { dumps: dumpFiles, specs: paths.describe("Spec files").optional() },
      run: async ({ dumps, specs }) =>
        outputOf(await workbench.doctor(existing(dumps), existing(specs ?? []))),
    }),
  ];
}

/**
 * Finds the line of the run with this id in the output of `inspect`.
 * @throws ToolError if no run has this id
 */
export function lineOf({ stdout, stderr }: Called, id: string): string {
  const line = stdout.split("\n").find((one) => one.includes(JSON.stringify(id)) && idOf(one) === id);
  if (line !== undefined) return line;
  throw new ToolError(`no run ${id} in the dumps: inspect_dump lists the runs. ${stderr}`.trim());
}

function idOf(line: string): unknown {
  return (JSON.parse(line) as { run_id?: unknown }).run_id;
}

/**
 * Returns the output of a command, with its exit code.
 * @throws ToolError if the command failed and printed nothing on stdout
 */
export function outputOf({ exitCode, stdout, stderr }: Called): string {
  if (exitCode === 2 && stdout.trim() === "") throw new ToolError(stderr.trim());
  const parts = [stdout.trimEnd(), stderr.trimEnd(), /^exit \d/m.test(stdout) ? "" : `exit ${exitCode}`];
  return parts.filter((part) => part !== "").join("\n\n");
}
