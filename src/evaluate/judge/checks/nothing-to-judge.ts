import type { AgentRun, Retrieval } from "../../../model/run.ts";
import { retrievedBy } from "../../checks/blocks/retrieved.ts";
import { remedyFor } from "../../result/remedies.ts";
import type { JudgeInputKind } from "../prompt/limits.ts";
import type { Rubric } from "../prompt/rubric.ts";
import { usedTools } from "../prompt/run-texts.ts";
import type { Judgement } from "../reply/judged-result.ts";
import type { EvaluationSession } from "../ask/session.ts";

interface Emptiness {
  readonly isEmpty: (run: AgentRun) => boolean;
  /** Entry of the run's `missing` if the telemetry may lack the content. */
  readonly field: string;
  readonly nothing: string;
  readonly leftOut: string;
}

const tools: Emptiness = {
  isEmpty: (run) => usedTools(run).length === 0,
  field: "tools",
  nothing: "no tool was called in this run",
  leftOut: "the telemetry may lack tool calls",
};
const retrievals: Emptiness = {
  isEmpty: (run) => run.retrievals.every(({ documents, isPartial }) => documents.length === 0 && !isPartial),
  field: "retrievals",
  nothing: "nothing was retrieved in this run",
  leftOut: "the telemetry may lack retrievals",
};
const emptiness: Partial<Record<JudgeInputKind, Emptiness>> = {
  tools,
  calls: tools,
  retrievals,
  documents: retrievals,
};

/**
 * Returns a judgement if the run lacks an input without which the rubric is skipped, such as tool calls; otherwise undefined. The judgement
 * is `incomplete` if only the telemetry may lack the input, otherwise `skip`.
 */
export function nothingToJudge({ id, skipWithout }: Rubric, run: AgentRun): Judgement | undefined {
  for (const input of skipWithout) {
    const empty = emptiness[input];
    if (empty?.isEmpty(run) !== true) continue;
    if (!run.missing.some(({ what }) => what === empty.field))
      return { outcome: "skip", message: `${id} not judged: ${empty.nothing}` };
    return {
      outcome: "incomplete",
      message: `${id} not judged: ${empty.leftOut}`,
      missing: [empty.field],
      remedy: remedyFor(empty.field, run),
    };
  }
  return undefined;
}

/**
 * Returns the run for a rubric about retrievals. If the query names a retrieving tool, results of this tool replace the run's retrievals.
 */
export function asRetrieved({ run, retrieval }: EvaluationSession, { skipWithout }: Rubric): AgentRun {
  const isAbout = skipWithout.includes("retrievals") || skipWithout.includes("documents");
  if (!isAbout || retrieval?.tool === undefined) return run;
  const found = retrievedBy(run, retrieval).map(({ spanId, documents }): Retrieval => ({
    spanId,
    query: null,
    documents: documents ?? [{ id: null, content: null, score: null }],
  }));
  // A proxy, because a copy would read all lazy texts of the run.
  return new Proxy(run, {
    get: (target, name): unknown => (name === "retrievals" ? found : Reflect.get(target, name, target)),
  });
}
