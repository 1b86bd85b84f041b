import { specFileName } from "../../authoring/query-text/spec-file-name.ts";
import { proposeSpec } from "../../authoring/agreement/proposed-spec.ts";
import { questionsOf } from "../../authoring/questions.ts";
import type { ProposedSpecs } from "../../interfaces/api/endpoints/system.ts";
import type { AgentRun } from "../../model/run.ts";
import type { DialectTable } from "../../runs/dialect-table.ts";
import type { Archive } from "../../store/archive.ts";
import { replayNewestRuns } from "./newest-runs.ts";

/** Returns the specs that `init --from` would write from the newest stored runs, one spec for each agent. */
export async function proposedSpecs(
  archive: Archive,
  dialects: readonly DialectTable[],
): Promise<ProposedSpecs> {
  const runs: AgentRun[] = [];
  await replayNewestRuns(archive, { dialects, onRun: (run) => runs.push(run) });
  const { agents, unknown, wildcards } = questionsOf(runs);
  return {
    runs: runs.length,
    left_out: unknown + wildcards,
    specs: agents.map((one) => ({ agent: one.agent, file: specFileName(one.agent), yaml: proposeSpec(one) })),
  };
}
