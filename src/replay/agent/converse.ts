import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { captureFrom, filledText, unfilledNames } from "../../match/turns.ts";
import { normaliseText } from "../../match/rules/normalise.ts";
import type { AgentRun } from "../../model/run.ts";
import { conversationRun } from "../../pipeline/conversation/conversation-run.ts";
import { withQueryId } from "./known-query.ts";
import type { AgentCall, CallPlan, PlannedTurn } from "./call.ts";

type Turn = CallPlan["query"]["turns"][number];

/**
 * Puts the turns of a conversation to the agent, one after the other, under one session id, with what was said before. A turn may use
 * what earlier answers said. Ends early where a call goes wrong, and where a turn needs what no answer gave.
 * @param ask puts one turn and gives what came of it
 */
export async function converse(
  plan: CallPlan,
  ask: (plan: CallPlan) => Promise<AgentCall>,
): Promise<AgentCall> {
  const { query } = plan;
  const turns: readonly Pick<Turn, "text" | "capture">[] =
    query.turns.length > 0 ? query.turns : [{ text: query.text }];
  const session = randomUUID();
  const captures = new Map<string, string>();
  const history: PlannedTurn["history"][number][] = [];
  const calls: AgentCall[] = [];
  for (const [index, turn] of turns.entries()) {
    const number = index + 1;
    const [unknown] = unfilledNames(turn.text, turns, captures);
    const last = calls.at(-1);
    if (unknown !== undefined && last !== undefined)
      return together(plan, calls, unanswered(number, unknown));
    const text = filledText(turn.text, captures);
    const planned = { number, text, session, history: [...history] };
    const call = await ask({ ...plan, folder: join(plan.folder, `turn-${number}`), turn: planned });
    calls.push(call);
    if (call.outcome !== "ok")
      return together(plan, calls, { ...call, reason: `turn ${number}: ${call.reason}` });
    const answer = answerOf(call.runs, text);
    captureFrom(turn, answer, captures);
    history.push({ role: "user", content: text });
    if (answer !== null) history.push({ role: "assistant", content: answer });
  }
  return together(plan, calls, null);
}

type Failure = Pick<AgentCall, "outcome" | "exitCode" | "signal" | "reason" | "hint">;

function unanswered(number: number, name: string): Failure {
  return {
    outcome: "failed",
    exitCode: null,
    signal: null,
    reason: `turn ${number} was not put: no answer before it has what \`capture\` calls ${name}`,
    hint: "see the answers, and the pattern in `capture`; an answer that the telemetry leaves out captures nothing",
  };
}

/** The answer to this text; where no run shows it, that of the last run. */
function answerOf(runs: readonly AgentRun[], text: string): string | null {
  const wanted = normaliseText(text);
  const own = runs.find(({ query }) => query !== null && normaliseText(query) === wanted);
  return (own ?? runs.at(-1))?.answer ?? null;
}

/** The calls as one; its runs are those of all turns. */
function together(plan: CallPlan, calls: readonly AgentCall[], failure: Failure | null): AgentCall {
  const sum = (of: (call: AgentCall) => number): number => calls.reduce((total, call) => total + of(call), 0);
  const last = calls.at(-1);
  return {
    plan,
    outcome: failure?.outcome ?? "ok",
    exitCode: failure?.exitCode ?? last?.exitCode ?? null,
    signal: failure?.signal ?? null,
    durationMs: sum(({ durationMs }) => durationMs),
    requests: sum(({ requests }) => requests),
    spans: sum(({ spans }) => spans),
    runs: calls.flatMap(({ runs }) => runs),
    reason: failure?.reason ?? "",
    hint: failure?.hint ?? "",
  };
}

/** The runs of a call, and all of them as the one run that its query is judged by, each marked with the query's id. */
export function runsOfConversation({ plan, runs }: Pick<AgentCall, "plan" | "runs">): readonly AgentRun[] {
  if (runs.length === 0) return [];
  const turns = runs.map((run) => withQueryId(run, plan.query.id));
  return [...turns, conversationRun(turns.toSorted((a, b) => a.startUnixMs - b.startUnixMs))];
}
