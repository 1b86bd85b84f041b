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
  /** Field of the run whose entry in `missing` shows whether the telemetry lacks it. */
  readonly field: string;
  readonly nothing: string;
  readonly leftOut: string;
}

const tools: Emptiness = {
  isEmpty: (run) => usedTools(run).length === 0,
  field: "tools",
  nothing: "no tool was called in this run",
  leftOut: "tool calls may have been left out",
};
const retrievals: Emptiness = {
  isEmpty: (run) => run.retrievals.every(({ documents }) => documents.length === 0),
  field: "retrievals",
  nothing: "nothing was retrieved in this run",
  leftOut: "retrievals may have been left out",
};
const emptiness: Partial<Record<JudgeInputKind, Emptiness>> = {
  tools,
  calls: tools,
  retrievals,
  documents: retrievals,
};

/**
 * Returns why a rubric has nothing to judge in a run: `skip` if this is known, `incomplete` if the content
 * may only not have been recorded.
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
 * Returns the run with the results of the query's retrieving tool as its retrievals, for rubrics about
 * retrievals.
 */
export function asRetrieved({ run, retrieval }: EvaluationSession, { skipWithout }: Rubric): AgentRun {
  const isAbout = skipWithout.includes("retrievals") || skipWithout.includes("documents");
  if (!isAbout || retrieval?.tool === undefined) return run;
  const found = retrievedBy(run, retrieval).map(({ spanId, documents }): Retrieval => ({
    spanId,
    query: null,
    documents: documents ?? [{ id: null, content: null, score: null }],
  }));
  // Wraps the run instead of copying it, because a run reads its texts lazily.
  return new Proxy(run, {
    get: (target, name): unknown => (name === "retrievals" ? found : Reflect.get(target, name, target)),
  });
}
