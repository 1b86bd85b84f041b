import { byStart } from "../model/by-start.ts";
import { foldAgentName } from "../match/rules/agent-name.ts";
import { normaliseText } from "../match/rules/normalise.ts";
import { isLiteral } from "./query-text/literal-query.ts";
import type { AgentRun } from "../model/run.ts";

/** Runs of one agent that have the same query text. */
export interface Question {
  readonly text: string;
  readonly runs: readonly AgentRun[];
}

export interface AgentQuestions {
  readonly agent: string;
  readonly questions: readonly Question[];
}

export interface Questions {
  readonly agents: readonly AgentQuestions[];
  readonly unknown: number;
  /**
   * Number of runs that are left out, because a spec would read their query text or agent name as a wildcard.
   */
  readonly wildcards: number;
}

/** Groups runs by agent and query text. Groups are in the order of their first runs. */
export function questionsOf(runs: readonly AgentRun[]): Questions {
  const sorted = [...runs].sort(byStart);
  const agents = new Map<
    string,
    { agent: string; questions: Map<string, { text: string; runs: AgentRun[] }> }
  >();
  let unknown = 0;
  let wildcards = 0;
  for (const run of sorted) {
    const text = run.query?.trim() ?? "";
    const agent = run.agent ?? run.service ?? "agent";
    if (text === "") {
      unknown++;
      continue;
    }
    if (!isLiteral(text) || !isLiteral(agent)) {
      wildcards++;
      continue;
    }
    const known = agents.get(foldAgentName(agent)) ?? { agent, questions: new Map() };
    agents.set(foldAgentName(agent), known);
    const question = known.questions.get(normaliseText(text)) ?? { text, runs: [] };
    known.questions.set(normaliseText(text), question);
    question.runs.push(run);
  }
  return {
    agents: [...agents.values()].map(({ agent, questions }) => ({
      agent,
      questions: [...questions.values()],
    })),
    unknown,
    wildcards,
  };
}
