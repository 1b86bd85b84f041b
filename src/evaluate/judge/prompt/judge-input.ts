import type { Message } from "../../../model/message.ts";
import type { AgentRun, Retrieval, ToolCall } from "../../../model/run.ts";
import type { Block } from "./prompt.ts";
import type { JudgeInputKind } from "./limits.ts";
import {
  callsText,
  containAnswer,
  documentsText,
  show,
  stepsText,
  turnsText,
  usedTools,
} from "./run-texts.ts";

/** The parts of a run that a judge sees. */
export interface JudgeInput {
  readonly blocks: readonly Block[];
  /** Parts that the rubric needs and the telemetry lacks. */
  readonly absent: readonly JudgeInputKind[];
  /** Descriptions of partly missing evidence, such as "the result of tool search". */
  readonly gaps: readonly string[];
}

/**
 * Returns the parts of a run that a rubric needs.
 * @param context text of the rubric's `context_file`
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
  const given = call.arguments === undefined ? "arguments unknown" : show(call.arguments);
  const error = call.error === null ? "" : `\nerror: ${call.error}`;
  const result = call.result === undefined ? "(not captured)" : show(call.result);
  return `[tool ${index + 1}] ${call.name ?? "(unnamed)"} ${given}${error}\nresult: ${result}`;
}

function retrievalText(run: AgentRun, gaps: string[]): string | null {
  const found = run.retrievals;
  for (const it of found)
    if (it.documents.some((doc) => doc.content === null))
      gaps.push(`documents of the retrieval "${it.query ?? ""}"`);
  const contents = found.flatMap((it) => it.documents.map((doc) => doc.content));
  if (contents.length > 0 && contents.every((content) => content === null)) return null;
  return found.length === 0 ? "(nothing was retrieved)" : found.map(describeRetrieval).join("\n\n");
}

function describeRetrieval(retrieval: Retrieval, index: number): string {
  const documents = retrieval.documents.map(
    (doc, i) => `document ${doc.id ?? i + 1}: ${doc.content ?? "(not captured)"}`,
  );
  return [`[retrieval ${index + 1}] ${retrieval.query ?? ""}`, ...documents].join("\n");
}

/**
 * Returns the conversation as text. Without messages, the text consists of query, tool calls and answer. Null if query or answer is
 * missing, too.
 */
function conversationText(run: AgentRun, gaps: string[]): string | null {
  const spoken = run.messages.filter((message) => message.role !== "system");
  const told = spoken.map(describeMessage);
  const answer = run.answer;
  if (told.length === 0) {
    if (run.query === null || answer === null) return null;
    const calls = usedTools(run).map(describeCall);
    return [`user: ${run.query}`, ...calls, `assistant: ${answer}`].join("\n\n");
  }
  if (answer !== null && answer !== "" && !containAnswer(spoken, answer)) told.push(`assistant: ${answer}`);
  if (!spoken.some((message) => message.role === "assistant") && answer === null)
    gaps.push("the assistant's answer");
  return told.join("\n\n");
}

function describeMessage(message: Message): string {
  const speaker = message.name === null ? message.role : `${message.role} (${message.name})`;
  const lines = [`${speaker}: ${message.text ?? ""}`.trimEnd()];
  for (const call of message.calls)
    lines.push(
      `  calls ${call.name ?? "(unnamed)"} ${call.arguments === undefined ? "" : show(call.arguments)}`,
    );
  for (const result of message.results)
    lines.push(
      `  ${result.isError ? "error" : "result"} of ${result.name ?? "a tool"}: ${show(result.content ?? null)}`,
    );
  return lines.join("\n");
}
