import type { JsonValue } from "../../../model/json.ts";
import type { Message } from "../../../model/message.ts";
import type { AgentRun, ToolCall } from "../../../model/run.ts";

/** Returns the tool calls of a run that were executed, or may have been. */
export function usedTools(run: AgentRun): readonly ToolCall[] {
  return run.tools.filter((call) => call.executed !== false);
}

/** Returns a value as text for a judge: a text unchanged, another value as JSON. */
export function show(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * Returns numbered tool calls with their arguments; null if no arguments were captured.
 * @param gaps receives descriptions of missing arguments
 */
export function callsText(run: AgentRun, gaps: string[]): string | null {
  const calls = usedTools(run);
  if (calls.length === 0) return "(no tool was called)";
  if (calls.every((call) => call.arguments === undefined)) return null;
  for (const call of calls)
    if (call.arguments === undefined) gaps.push(`the arguments of tool ${call.name ?? "(unnamed)"}`);
  return calls.map(describeArguments).join("\n\n");
}

function describeArguments(call: ToolCall, index: number): string {
  const given = call.arguments === undefined ? "(not captured)" : show(call.arguments);
  const came =
    call.error === null
      ? call.result === undefined
        ? ""
        : `\nresult: ${show(call.result)}`
      : `\nerror: ${call.error}`;
  return `[call ${index + 1}] ${call.name ?? "(unnamed)"} ${given}${came}`;
}

/**
 * Returns the numbered documents of all retrievals, in order of rank; null if no content was captured.
 * @param gaps receives descriptions of missing content
 */
export function documentsText(run: AgentRun, gaps: string[]): string | null {
  const documents = run.retrievals.flatMap(({ query, documents }) =>
    documents.map(({ content }) => ({ query, content })),
  );
  if (documents.length === 0) return "(nothing was retrieved)";
  if (documents.every(({ content }) => content === null)) return null;
  for (const { query, content } of documents)
    if (content === null)
      gaps.push(query === null ? "a document of a retrieval" : `a document of the retrieval "${query}"`);
  return documents
    .map(
      ({ query, content }, at) =>
        `[document ${at + 1}] retrieved for: ${query ?? "(unknown)"}\n${content ?? "(not captured)"}`,
    )
    .join("\n\n");
}

/** Returns for each document of `documentsText` the index of its retrieval. */
export function retrievalOfDocuments(run: AgentRun): readonly number[] {
  return run.retrievals.flatMap(({ documents }, at) => documents.map(() => at));
}

/** Returns the conversation as text with numbered replies of the assistant. Null if the run has no messages, and no query or no answer. */
export function turnsText(run: AgentRun): string | null {
  const said = spokenIn(run);
  if (said === null) return null;
  let reply = 0;
  return said
    .map(({ role, text }) => (role === "user" ? `user: ${text}` : `[reply ${++reply}] assistant: ${text}`))
    .join("\n\n");
}

/** Returns the number of replies in the text of `turnsText`. */
export function countReplies(run: AgentRun): number {
  return spokenIn(run)?.filter(({ role }) => role === "assistant").length ?? 0;
}

interface Spoken {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/**
 * Returns the texts of user and assistant. Excludes text in messages with tool calls, because such text belongs to the work for the next
 * reply.
 */
function spokenIn(run: AgentRun): readonly Spoken[] | null {
  const { query, answer } = run;
  const said = run.messages.flatMap(({ role, text, calls }): Spoken[] =>
    text === null || text.trim() === "" || calls.length > 0 || (role !== "user" && role !== "assistant")
      ? []
      : [{ role, text }],
  );
  if (said.length === 0) {
    if (query === null || answer === null) return null;
    return [
      { role: "user", text: query },
      { role: "assistant", text: answer },
    ];
  }
  return answer === null || answer === "" || containAnswer(run.messages, answer)
    ? said
    : [...said, { role: "assistant", text: answer }];
}

/** Whether the messages contain the answer: as a whole message of the assistant, or inside its last message without tool calls. */
export function containAnswer(messages: readonly Message[], answer: string): boolean {
  const ofAssistant = messages.filter(({ role, text }) => role === "assistant" && text !== null);
  const last = ofAssistant.findLast(({ calls }) => calls.length === 0);
  return (
    ofAssistant.some(({ text }) => text?.trim() === answer.trim()) || (last?.text?.includes(answer) ?? false)
  );
}

/**
 * Returns the agent's steps in order: texts of the model, tool calls and results. If the run has no messages, returns only the tool calls.
 * Null without messages and tool calls.
 */
export function stepsText(run: AgentRun, gaps: string[]): string | null {
  const steps = run.messages
    .filter(({ role }) => role === "assistant" || role === "tool")
    .flatMap(describeStep);
  const handoffs = run.handoffs.map(({ from, to }) => `hand-off from ${from ?? "(unknown)"} to ${to}`);
  if (steps.length > 0) return [...numbered(steps), ...handoffs].join("\n\n");
  const calls = usedTools(run);
  if (calls.length === 0) return null;
  gaps.push("text of the model between its tool calls");
  return [...numbered(calls.map((call, at) => describeArguments(call, at))), ...handoffs].join("\n\n");
}

function numbered(steps: readonly string[]): readonly string[] {
  return steps.map((step, at) => `[step ${at + 1}] ${step}`);
}

function describeStep({ name, text, calls, results }: Message): readonly string[] {
  const agent = name === null ? "" : ` (${name})`;
  return [
    ...(text === null || text.trim() === "" || results.length > 0 ? [] : [`writes${agent}: ${text}`]),
    ...calls.map(
      (call) =>
        `calls${agent} ${call.name ?? "(unnamed)"} ${call.arguments === undefined ? "" : show(call.arguments)}`,
    ),
    ...results.map(
      (result) =>
        `${result.isError ? "error" : "result"} of ${result.name ?? "a tool"}: ${show(result.content ?? null)}`,
    ),
  ];
}
