import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, extname, join } from "node:path";
import { z } from "zod";
import type { Collector } from "../collector.ts";
import type { Folder } from "../folder.ts";
import { defineTool, type Tool, ToolError } from "../tool.ts";
import type { Workbench } from "../workbench.ts";
import { outputOf } from "./dump-tools.ts";

const path = z.string().min(1).max(4096);

export interface ProposeTestsOptions {
  readonly workbench: Workbench;
  readonly collector: Collector;
  readonly folder: Folder;
  /** Whether the tool may write queries and redacted dumps into the spec's folder. If false, it only shows the queries. */
  readonly mayWrite: boolean;
  /** Whether programs that the spec names in `checks:` may run, when a test is judged. */
  readonly mayRunCommands: boolean;
}

/**
 * Returns a tool for the command `propose`. The tool makes tests from failed runs in dumps, or from one run
 * that the collector has stored.
 */
export function proposeTestsTool(options: ProposeTestsOptions): Tool {
  const { workbench, collector, folder, mayWrite, mayRunCommands } = options;
  return defineTool({
    name: "propose_tests",
    title: "Propose tests from failed runs",
    description:
      "Proposes a query for each question whose run failed, ended in an error, warned, or matches no query of the spec. A query that the run fails is marked " +
      "`expected_fail`; a query without expectations is a `todo`. A good run of the same question passes the query. " +
      "For a run that a query of the spec already fails, no test is proposed; the reason is given. " +
      (mayWrite
        ? "Writes SPEC.proposed.yaml and fixtures/ (redacted dumps) into the spec's folder; the spec itself is not changed."
        : "Nothing is written: the server was started without --allow-write."),
    input: {
      spec: path.describe("The spec that the runs are judged by"),
      dumps: z
        .array(path)
        .min(1)
        .max(100)
        .describe("Dump files or folders; name either these or run_id")
        .optional(),
      run_id: z
        .string()
        .min(1)
        .max(200)
        .describe("A run that the running collector has stored; instead of dumps")
        .optional(),
      most: z.number().int().min(1).max(100).describe("Maximum number of tests").default(20),
      redact: z
        .enum(["secrets", "all"])
        .describe("all also removes e-mail addresses, card and phone numbers")
        .default("secrets"),
    },
    hasEffects: mayWrite || mayRunCommands,
    run: async ({ spec: named, dumps, run_id: id, most, redact }) => {
      if ((dumps === undefined) === (id === undefined))
        throw new ToolError("name either dumps, or the run_id of a run that the collector has stored");
      const spec = folder.existing(named);
      if (mayWrite) refuseOutside(folder, spec);
      const propose = (from: readonly string[]) =>
        workbench.propose({ dumps: from, spec, most, redact, mayWrite, mayRunCommands });
      if (id === undefined)
        return outputOf(await propose((dumps ?? []).map((name) => folder.existing(name))));
      const telemetry = await collector.get(`/api/v1/runs/${encodeURIComponent(id)}/telemetry`);
      if (telemetry.trim() === "")
        throw new ToolError(
          `the collector has not stored the telemetry of run ${id}: use the dump, or switch store.telemetry on`,
        );
      const kept = mkdtempSync(join(tmpdir(), "tracejury-"));
      try {
        const dump = join(kept, "telemetry.jsonl");
        writeFileSync(dump, telemetry);
        return outputOf(await propose([dump]));
      } finally {
        rmSync(kept, { recursive: true });
      }
    },
  });
}

/**
 * Checks that all files that `propose` writes are in the folder, even if symbolic links are resolved.
 * @throws ToolError if a file is outside of the folder
 */
function refuseOutside(folder: Folder, spec: string): void {
  const beside = dirname(spec);
  const written = [`${basename(spec, extname(spec))}.proposed.yaml`, "fixtures"].map((name) =>
    join(beside, name),
  );
  for (const target of written) folder.writable(target);
}
