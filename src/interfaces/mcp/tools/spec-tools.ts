import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { documentBounds, isObject, parseJson } from "../../../model/json.ts";
import { proposeQuery } from "../../../report/render/json/query-block.ts";
import type { Collector } from "../collector.ts";
import type { Folder } from "../folder.ts";
import { defineTool, type Tool, ToolError } from "../tool.ts";
import type { Workbench } from "../workbench.ts";
import { lineOf } from "./dump-tools.ts";

const path = z.string().min(1).max(4096);

export interface SpecToolsOptions {
  readonly workbench: Workbench;
  readonly collector: Collector;
  readonly folder: Folder;
  readonly mayWrite: boolean;
}

export function specTools(options: SpecToolsOptions): readonly Tool[] {
  const reading = [proposeTool(options), validateTool(options)];
  return options.mayWrite ? [...reading, writeTool(options)] : reading;
}

function proposeTool({ workbench, collector, folder }: SpecToolsOptions): Tool {
  return defineTool({
    name: "propose_query",
    title: "Propose a query",
    description:
      "A block for a spec's `queries:` made from one run: its tools, hand-offs and budgets with headroom. The run must be a correct run; " +
      "add the expected answer yourself.",
    input: {
      run_id: z.string().min(1).max(200),
      dump: path.describe("Dump with the run. Default: the running collector").optional(),
    },
    run: async ({ run_id: id, dump }) => {
      const json =
        dump === undefined
          ? await collector.get(`/api/v1/runs/${encodeURIComponent(id)}`)
          : lineOf(await workbench.inspect([folder.existing(dump)], "json"), id);
      const run = parseJson(json, documentBounds);
      const block = isObject(run) ? proposeQuery(run) : null;
      if (block === null) {
        throw new ToolError(
          `the telemetry of run ${id} lacks the user's question, or the question is "*", which in a spec matches any question; doctor shows the setting that records the question`,
        );
      }
      return block;
    },
  });
}

function validateTool({ workbench, folder }: SpecToolsOptions): Tool {
  return defineTool({
    name: "validate_spec",
    title: "Check a spec",
    description:
      "Lists the problems of a spec or configuration file, each with its place and, if known, a fix. If the YAML is invalid, lists only syntax problems.",
    input: { file: path },
    run: async ({ file }) => {
      const { stdout } = await workbench.validate([folder.existing(file)]);
      return stdout.trimEnd();
    },
  });
}

function writeTool({ workbench, folder }: SpecToolsOptions): Tool {
  return defineTool({
    name: "write_spec",
    title: "Write a spec",
    description: "Writes a whole spec file if it is valid, and replaces an existing one.",
    input: {
      file: path.describe("Name of the file; ends in .yaml or .yml"),
      text: z.string().min(1).max(1_000_000),
    },
    hasEffects: true,
    run: async ({ file, text }) => {
      if (!/\.ya?ml$/.test(file))
        throw new ToolError(`${file} is not a spec file name: it must end in .yaml or .yml`);
      const target = folder.writable(file);
      // The draft is written into the folder of the spec that it may become, so that relative paths in the draft are valid.
      const draft = join(dirname(target), `.${randomUUID()}-${basename(target)}`);
      try {
        writeFileSync(draft, text, { flag: "wx" });
        const { exitCode, stdout } = await workbench.validate([draft]);
        const found = stdout.replaceAll(draft, file);
        if (exitCode !== 0) throw new ToolError(`not written, the spec is invalid:\n${found}`);
        if (!found.includes("is a valid spec")) throw new ToolError("not written: the text is not a spec");
        renameSync(draft, target);
        return `wrote ${folder.shown(target)}`;
      } finally {
        rmSync(draft, { force: true });
      }
    },
  });
}
