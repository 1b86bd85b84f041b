import { type JsonValue, textOrJson } from "../../../model/json.ts";
import type { Message } from "../../../model/message.ts";
import type { AgentRun, Retrieval, ToolCall } from "../../../model/run.ts";
import type { Block } from "./prompt.ts";
import type { JudgeInputKind } from "./limits.ts";

const readers: Record<JudgeInputKind, (run: AgentRun, gaps: string[]) => string | null> = {
  query: (run) => run.query,
  answer: (run) => run.answer,
  tools: toolText,
  retrievals: retrievalText,
  conversation: conversationText,
  calls: callsText,
  documents: documentsText,
  instructions: (run) => run.systemInstructions,
  steps: stepsText,
  turns: turnsText,
};

/** Indents all lines of a text but the first, so that no line of the text looks like the next message, call or document. */
export function inset(text: string): string {
  return text.replaceAll(/\r\n?|[\n\u2028\u2029]/g, "\n    ");
}

function insetValue(value: JsonValue): string {
  return inset(textOrJson(value));
}

/** Returns the tool calls of a run that were executed, or may have been. */
export function usedTools(run: AgentRun): readonly ToolCall[] {
  return run.tools.filter((call) => call.executed !== false);
}

/**
 * Returns numbered tool calls with their arguments; null if no arguments were captured.
 * @param gaps receives descriptions of missing arguments
 */
function callsText(run: AgentRun, gaps: string[]): string | null {
  const calls = usedTools(run);
  if (calls.length === 0) return "(no tool was called)";
  if (calls.every((call) => call.arguments === undefined)) return null;
  for (const call of calls)
    if (call.arguments === undefined) gaps.push(`the arguments of tool ${call.name ?? "(unnamed)"}`);
  return calls.map(describeArguments).join("\n\n");
}

function describeArguments(call: ToolCall, index: number): string {
  const given = call.arguments === undefined ? "(not captured)" : insetValue(call.arguments);
  const came =
    call.error === null
      ? call.result === undefined
        ? ""
        : `\nresult: ${insetValue(call.result)}`
      : `\nerror: ${inset(call.error)}`;
  return `[call ${index + 1}] ${call.name ?? "(unnamed)"} ${given}${came}`;
}

/**
 * Returns the numbered documents of all retrievals, in order of rank; null if no content was captured.
 * @param gaps receives descriptions of missing content
 */
function documentsText(run: AgentRun, gaps: string[]): string | null {
  const documents = run.retrievals.flatMap(({ query, documents }) =>
    documents.map(({ content }) => ({ query, content })),
  );
  const partial = run.retrievals.filter(({ isPartial }) => isPartial);
  if (documents.length === 0) return partial.length > 0 ? null : "(nothing was retrieved)";
  for (const { query } of partial) gaps.push(`documents of the retrieval "${query ?? ""}"`);
  if (documents.every(({ content }) => content === null)) return null;
  for (const { query, content } of documents)
    if (content === null)
      gaps.push(query === null ? "a document of a retrieval" : `a document of the retrieval "${query}"`);
  return documents
    .map(
      ({ query, content }, at) =>
        `[document ${at + 1}] retrieved for: ${inset(query ?? "(unknown)")}\n${inset(content ?? "(not captured)")}`,
    )
    .join("\n\n");
}

/** Returns for each document of `documentsText` the index of its retrieval. */
export function retrievalOfDocuments(run: AgentRun): readonly number[] {
  return run.retrievals.flatMap(({ documents }, at) => documents.map(() => at));
}

/** Returns the conversation as text with numbered replies of the assistant. Null without answer, or if query and messages are missing. */
function turnsText(run: AgentRun): string | null {
  const spoken = spokenIn(run);
  if (spoken === null || run.answer === null) return null;
  let reply = 0;
  return spoken
    .map(({ role, text }) =>
      role === "user" ? `user: ${inset(text)}` : `[reply ${++reply}] assistant: ${inset(text)}`,
    )
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
 * Returns the texts of user and assistant. Excludes the text of a message that also requests tools, because such text comments on the work
 * and is not a reply.
 */
function spokenIn(run: AgentRun): readonly Spoken[] | null {
  const { query, answer } = run;
  const spoken = run.messages.flatMap(({ role, text, calls }): Spoken[] =>
    text === null || text.trim() === "" || calls.length > 0 || (role !== "user" && role !== "assistant")
      ? []
      : [{ role, text }],
  );
  if (spoken.length === 0) {
    if (query === null || answer === null) return null;
    return [
      { role: "user", text: query },
      { role: "assistant", text: answer },
    ];
  }
  return answer === null || answer === "" || containAnswer(run, run.messages, answer)
    ? spoken
    : [...spoken, { role: "assistant", text: answer }];
}

/**
 * Whether the messages after the run's question contain the answer: as a whole message of the assistant, or inside its last message without
 * tool calls. An earlier turn may have the same answer.
 */
function containAnswer({ query }: AgentRun, messages: readonly Message[], answer: string): boolean {
  const asked = messages.findLastIndex(({ role, text }) => role === "user" && text?.trim() === query?.trim());
  const ofAssistant = messages
    .slice(asked + 1)
    .filter(({ role, text }) => role === "assistant" && text !== null);
  const last = ofAssistant.findLast(({ calls }) => calls.length === 0);
  return (
    ofAssistant.some(({ text }) => text?.trim() === answer.trim()) || (last?.text?.includes(answer) ?? false)
  );
}

/**
 * Returns the agent's steps in order: texts of the model, tool calls and results. If the run has no messages, returns only the tool calls.
 * Null without messages and tool calls.
 */
function stepsText(run: AgentRun, gaps: string[]): string | null {
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
    ...(text === null || text.trim() === "" || results.length > 0 ? [] : [`writes${agent}: ${inset(text)}`]),
    ...calls.map((call) => calledText(call, agent)),
    ...results.map(resultText),
  ];
}

function calledText({ name, arguments: given }: Message["calls"][number], agent = ""): string {
  return `calls${agent} ${name ?? "(unnamed)"} ${given === undefined ? "" : insetValue(given)}`;
}

function resultText({ isError, name, content }: Message["results"][number]): string {
  return `${isError ? "error" : "result"} of ${name ?? "a tool"}: ${insetValue(content ?? null)}`;
}

/** The parts of a run that a judge sees. */
interface JudgeInput {
  readonly blocks: readonly Block[];
  /** Parts that the rubric needs and the telemetry lacks. */
  readonly absent: readonly JudgeInputKind[];
  /** Descriptions of partly missing evidence, such as "the result of tool search". */
  readonly gaps: readonly string[];
}

/**
 * Returns the parts of a run that a rubric needs.
 * @param context reference text of the rubric, from `context_file` and `reference`
 */
export function judgeInputOf(run: AgentRun, inputs: readonly JudgeInputKind[], context?: string): JudgeInput {
  const blocks: Block[] = context === undefined ? [] : [{ name: "REFERENCE", text: context }];
  const absent: JudgeInputKind[] = [];
  const gaps: string[] = [];
  for (const input of inputs) {
    const text = readers[input](run, gaps);
    if (text === null) absent.push(input);
    else blocks.push({ name: input.toUpperCase(), text });
  }
  return { blocks, absent, gaps };
}

function toolText(run: AgentRun, gaps: string[]): string | null {
  const calls = usedTools(run);
  for (const call of calls)
    if (call.result === undefined && call.error === null)
      gaps.push(`the result of tool ${call.name ?? "(unnamed)"}`);
  if (calls.length > 0 && calls.every((call) => call.result === undefined && call.error === null))
    return null;
  return calls.length === 0 ? "(no tool was called)" : calls.map(describeCall).join("\n\n");
}

function describeCall(call: ToolCall, index: number): string {
  const given = call.arguments === undefined ? "arguments unknown" : insetValue(call.arguments);
  const error = call.error === null ? "" : `\nerror: ${inset(call.error)}`;
  const result = call.result === undefined ? "(not captured)" : insetValue(call.result);
  return `[tool ${index + 1}] ${call.name ?? "(unnamed)"} ${given}${error}\nresult: ${result}`;
}

function retrievalText(run: AgentRun, gaps: string[]): string | null {
  const found = run.retrievals;
  for (const it of found)
    if (it.isPartial || it.documents.some((doc) => doc.content === null))
      gaps.push(`documents of the retrieval "${it.query ?? ""}"`);
  const contents = found.flatMap((it) => it.documents.map((doc) => doc.content));
  const isSilent = contents.length > 0 || found.some(({ isPartial }) => isPartial);
  if (isSilent && contents.every((content) => content === null)) return null;
  return found.length === 0 ? "(nothing was retrieved)" : found.map(describeRetrieval).join("\n\n");
}

function describeRetrieval(retrieval: Retrieval, index: number): string {
  const documents = retrieval.documents.map(
    (doc, i) => `document ${inset(doc.id ?? `${i + 1}`)}: ${inset(doc.content ?? "(not captured)")}`,
  );
  return [`[retrieval ${index + 1}] ${inset(retrieval.query ?? "")}`, ...documents].join("\n");
}

/**
 * Returns the conversation as text. Without messages, the text consists of query, tool calls and answer. Null without answer, or if query
 * and messages are missing.
 */
function conversationText(run: AgentRun): string | null {
  const spoken = run.messages.filter((message) => message.role !== "system");
  const messages = spoken.map(describeMessage);
  const answer = run.answer;
  if (answer === null) return null;
  if (messages.length === 0) {
    if (run.query === null) return null;
    const calls = usedTools(run).map(describeCall);
    return [`user: ${inset(run.query)}`, ...calls, `assistant: ${inset(answer)}`].join("\n\n");
  }
  if (answer !== "" && !containAnswer(run, spoken, answer)) messages.push(`assistant: ${inset(answer)}`);
  return messages.join("\n\n");
}

function describeMessage(message: Message): string {
  const speaker = message.name === null ? message.role : `${message.role} (${message.name})`;
  return [
    `${speaker}: ${inset(message.text ?? "")}`.trimEnd(),
    ...message.calls.map((call) => `  ${calledText(call)}`),
    ...message.results.map((result) => `  ${resultText(result)}`),
  ].join("\n");
}
