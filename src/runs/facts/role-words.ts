import type { SpanRole } from "../../../adapters/span-roles.ts";
import { wordsOf } from "./attribute-words.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import { wordList } from "../../support/structures/word-list.ts";

const roles: ReadonlyMap<string, SpanRole> = new Map<string, SpanRole>([
  ...spelled(
    "call",
    `
    llm chat completion generation generate model inference llmcall modelcall chatmodel llmrequest
    modelrequest chatcompletion textcompletion dogenerate dostream modelinference languagemodel
    llmgeneration chatcompletions messages
  `,
  ),
  ...spelled(
    "tool",
    `
    tool toolcall function functioncall executetool toolexecution functiontool mcptool mcptoolcall
    toolinvocation tooluse toolrun functionexecution
  `,
  ),
  ...spelled("agent", "agent agentrun invokeagent agentexecution assistant agentinvocation runagent"),
  ...spelled("workflow", "workflow flow graph crew pipeline workflowrun invokeworkflow team"),
  ...spelled("step", "chain task step node turn agentstep"),
  ...spelled("retriever", "retriever retrieval retrieve vectorsearch vectorstore"),
  ...spelled("embedding", "embedding embeddings embed embedder"),
  ...spelled("reranker", "rerank reranker"),
  ...spelled("guardrail", "guardrail guard moderation"),
  ...spelled("handoff", "handoff transfer agenthandoff"),
  ...spelled("evaluation", "evaluation evaluator scorer judge"),
]);

function spelled(role: SpanRole, words: string): [string, SpanRole][] {
  return wordList(words).map((word) => [word, role]);
}

/** Whether a name only means a kind of span, such as `tool_call` or `function_tool`, and names no tool. */
export function isRoleWord(name: string): boolean {
  return name.length <= 60 && roles.has(wordsOf(name).join(""));
}

/** Like `roleNamed`, but the role must be the last word: `tool_coordination` is not a tool. */
export function roleEnding(value: string): SpanRole | undefined {
  if (value.length > 60 || /\s/.test(value)) return undefined;
  const words = wordsOf(value);
  return roles.get(words.join("")) ?? roles.get(words.slice(-2).join("")) ?? roles.get(words.at(-1) ?? "");
}

/** Returns the role that a value names, such as `LLM_CALL`, `ai.generateText.doGenerate` or `agent-run`. */
export function roleNamed(value: string): SpanRole | undefined {
  return value.length > 60 ? undefined : (roleIn(value) ?? undefined);
}

const isLookup = (verb: string): boolean => /^(?:get|set|list|find|load|register|add)$/.test(verb);

const roleIn = remembered((value): SpanRole | null => {
  if (/\s.*\s/.test(value)) return null;
  const words = wordsOf(value);
  // `mastra.getAgent` looks up an agent and runs none.
  if (isLookup(words.at(-2) ?? "")) return null;
  for (const part of [words, words.slice(-2), words.slice(-1), words.slice(0, 2), words.slice(0, 1)]) {
    const role = roles.get(part.join(""));
    if (role !== undefined) return role;
  }
  return null;
});
