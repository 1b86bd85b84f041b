import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { captureFrom, filledText, unfilledNames } from "../../match/turns.ts";
import { normaliseText } from "../../match/rules/normalise.ts";
import type { AgentRun } from "../../model/run.ts";
import { conversationRun } from "../../pipeline/conversation/conversation-run.ts";
import { withQueryId } from "./known-query.ts";
import type { Simulator } from "./simulator.ts";
import type { AgentCall, CallPlan, PlannedTurn } from "./call.ts";

type Turn = CallPlan["query"]["turns"][number];

/**
 * Sends the turns of a conversation to the agent in order, with one session id and the history. A turn's text can contain values that were
 * captured from earlier answers. If the query configures a simulated user, this user continues after the spec's turns, until the user is
 * done or `max_turns` messages were sent. The conversation ends early, as failed, if a call fails, a captured value is missing, or the
 * model that simulates the user gives no message.
 * @param ask sends one turn and returns its result
 */
export async function converse(
  plan: CallPlan,
  ask: (plan: CallPlan) => Promise<AgentCall>,
  simulator: Simulator | null = null,
): Promise<AgentCall> {
  const { query } = plan;
  const turns: readonly WrittenTurn[] = query.turns.length > 0 ? query.turns : [{ text: query.text }];
  const mostTurns = simulator?.maxTurns(plan) ?? null;
  const without = mostTurns === null ? null : (simulator?.unavailable(plan) ?? null);
  if (without !== null) return together(plan, [], unplayed(without));
  const session = randomUUID();
  const captures = new Map<string, string>();
  const history: PlannedTurn["history"][number][] = [];
  const calls: AgentCall[] = [];
  /**
   * Returns the turn with this number: a turn of the spec, or a later turn of the simulated user; null if the conversation is at its end.
   */
  const turnAt = async (number: number): Promise<WrittenTurn | Failure | null> => {
    const written = turns[number - 1];
    if (written !== undefined) return written;
    if (simulator === null || mostTurns === null || number > mostTurns) return null;
    const next = await simulator.next(plan, session, history);
    if (!next.ok) return unsaid(number, next.message);
    return next.text === null ? null : { text: next.text };
  };
  for (let number = 1; ; number++) {
    const next = await turnAt(number);
    if (next === null) return together(plan, calls, null);
    if ("outcome" in next) return together(plan, calls, next);
    const turn = next;
    const [unknown] = turns.includes(turn) ? unfilledNames(turn.text, turns, captures) : [];
    const last = calls.at(-1);
    if (unknown !== undefined && last !== undefined)
      return together(plan, calls, unanswered(number, unknown));
    // Only texts of the spec are templates for captured values; a simulated user's text is not.
    const text = turns.includes(turn) ? filledText(turn.text, captures) : turn.text;
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
}

type WrittenTurn = Pick<Turn, "text" | "capture">;

function unplayed({ message, remedy }: { readonly message: string; readonly remedy: string }): Failure {
  const reason = `the user cannot be simulated: ${message}`;
  return { outcome: "not_started", exitCode: null, signal: null, reason, hint: remedy };
}

function unsaid(number: number, why: string): Failure {
  return {
    outcome: "failed",
    exitCode: null,
    signal: null,
    reason: `turn ${number} was not sent: the simulated user wrote no message: ${why}`,
    hint: "",
  };
}

type Failure = Pick<AgentCall, "outcome" | "exitCode" | "signal" | "reason" | "hint">;

function unanswered(number: number, name: string): Failure {
  return {
    outcome: "failed",
    exitCode: null,
    signal: null,
    reason: `turn ${number} was not sent: no earlier answer has the value that \`capture\` calls ${name}`,
    hint: "compare the agent's answers with the pattern in `capture`; if the telemetry does not contain an answer, nothing can be captured",
  };
}

/** Returns the answer of the run whose query is `text`; if no run has this query, the answer of the last run. */
function answerOf(runs: readonly AgentRun[], text: string): string | null {
  const wanted = normaliseText(text);
  const own = runs.find(({ query }) => query !== null && normaliseText(query) === wanted);
  return (own ?? runs.at(-1))?.answer ?? null;
}

/** Combines the calls of all turns into one call. */
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

/**
 * Returns the runs of a call, and a run of the whole conversation. The query is judged by the run of the conversation. All returned runs
 * get the query's id. The run of a simulated conversation that failed is incomplete, because the user's further messages are unknown.
 */
export function runsOfConversation({
  plan,
  runs,
  outcome,
  reason,
}: Pick<AgentCall, "plan" | "runs" | "outcome" | "reason">): readonly AgentRun[] {
  if (runs.length === 0) return [];
  const turns = runs.map((run) => withQueryId(run, plan.query.id));
  const isCut = plan.query.simulate !== undefined && outcome !== "ok";
  const inOrder = turns.toSorted((a, b) => a.startUnixMs - b.startUnixMs);
  return [...turns, conversationRun(inOrder, isCut ? { why: reason } : undefined)];
}
