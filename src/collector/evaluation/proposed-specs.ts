import { specFileName } from "../../authoring/query-text/spec-file-name.ts";
import { proposeSpec } from "../../authoring/agreement/proposed-spec.ts";
import { questionsOf } from "../../authoring/questions.ts";
import type { ProposedSpecs } from "../../interfaces/api/endpoints/system.ts";
import type { AgentRun } from "../../model/run.ts";
import type { DialectTable } from "../../runs/dialect-table.ts";
import type { Archive } from "../../store/archive.ts";
import { replayNewestRuns, withoutExamples } from "./newest-runs.ts";

/** Maximum number of failed runs that are looked up, and of runs that are read. */
const MOST_FAILED = 100;

/** Returns the specs that `tracejury init --from` would write, one for each agent, from the newest stored runs that did not fail. */
export async function proposedSpecs(
  archive: Archive,
  dialects: readonly DialectTable[],
): Promise<ProposedSpecs> {
  const runs: AgentRun[] = [];
  await replayNewestRuns(archive, { dialects, onRun: (run) => runs.push(run) });
  const failed = new Set(
    (await archive.runs({ outcome: "fail" }, MOST_FAILED, null))?.items.map(({ run_id }) => run_id),
  );
  const usable = runs.filter(({ runId }) => !failed.has(runId));
  const chosen = withoutExamples(usable);
  const { agents, unknown, wildcards } = questionsOf(chosen);
  return {
    runs: chosen.length,
    left_out: unknown + wildcards,
    failed: runs.length - usable.length,
    specs: agents.map((one) => ({ agent: one.agent, file: specFileName(one.agent), yaml: proposeSpec(one) })),
  };
}
