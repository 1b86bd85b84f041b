import { plainName } from "../messages/pick.ts";
import type { SpanSource } from "./span-source.ts";
import { isPlaceholder } from "../text/placeholder.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** Names that frameworks give to any agent, or to steps that are none. */
const constants: ReadonlySet<string> = new Set(
  wordList(`
    agent_workflow openai_agent openai_agents agent agents agent_run run tools tool model call_model
    call_agent call_llm llm LangGraph Pipeline AsyncPipeline Crew Graph Flow Team Runner AgentRunner
    RunnableSequence AgentExecutor turn task ClaudeAgent ClaudeAgentSDK.query unknown invocation
    workflow chain default undefined null None gen_ai generate invoke_agent should_continue assistant
    user FunctionAgent AgentWorkflow ReActAgent CodeActAgent CompiledStateGraph CompiledGraph StateGraph
    ToolCallingAgent CodeAgent ReAct ChainOfThought Predict ProgramOfThought CodeAct ChatAgent
    AssistantAgent ConversableAgent RunnableLambda __start__ pre_model_hook post_model_hook
    generate_structured_response spring_ai_chat_client call stream query chat_client strands_agent
    model_request model_response single_run crewai autogen single_run_sequential single_run_parallel
  `).map(plainName),
);

/** A name that can be an agent's: no constant of a framework, no template, class method or step number. */
export function isAgentName(name: string | null | undefined): name is string {
  return name !== null && name !== undefined && mayBeAgents(name);
}

const mayBeAgents = remembered((name) => {
  if (name.trim() === "" || name.length > 120) return false;
  if (constants.has(plainName(name)) || isPlaceholder(name) || isFrameworkClass(name)) return false;
  if (/[{}<>]/.test(name)) return false;
  if (/^(?:step|turn|iteration|task|node)[\s_-]*\d+$/i.test(name)) return false;
  if (/^ai\.(?:generate|stream)[A-Z]/.test(name)) return false;
  if (/^(?:transfer|hand[_-]?off)[_-](?:back[_-])?to[_-]/i.test(name)) return false;
  return !/^(?:[A-Z]\w*|_\w+)\.\w+$/.test(name);
});

/** `dspy.ReAct`: the class with its module. */
function isFrameworkClass(name: string): boolean {
  const className = /^[a-z_]\w*\.([A-Z]\w*)$/.exec(name)?.[1];
  return className !== undefined && constants.has(plainName(className));
}

const namePatterns: readonly RegExp[] = [
  /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+ (.+)$/,
  /^invoke_agent (.+)$/,
  /^invoke_workflow (.+)$/,
  /^agent_run \[(.+)\]$/,
  /^(?:agent run|agent|workflow|running agent|subagent)[:\s]+(.+)$/i,
  /^(.+)\.(?:agent|workflow|run|kickoff|invoke|ainvoke|stream|astream|on_messages(?:_stream)?|arun|_?execute_(?:core|task)|forward|aforward)$/,
];

/** The agent that a span names: by the producer's own attribute, else in the span's name. Callers use `SpanNode.agentName`, which reads once. */
export function agentNameOf(node: SpanSource): string | undefined {
  const given = node.text("agent");
  if (isAgentName(given)) return given;
  if (node.role === "agent" && node.reading.infer() !== undefined) {
    const inferred = node.text("agent");
    if (isAgentName(inferred)) return inferred;
  }
  const named = nameInSpan(node.span.name);
  return isAgentName(named) && !isOperation(named) && !isModelName(named, node) ? named : undefined;
}

/** Whether a producer names the agent: in an attribute, or in a span's name that says whose it is, such as `invoke_agent clerk`. */
export function isNamedAgent(node: SpanSource): boolean {
  const given = node.text("agent");
  if (isAgentName(given)) return true;
  return nameInSpan(node.span.name) !== node.span.name;
}

export function nameInSpan(name: string): string {
  for (const pattern of namePatterns) {
    const match = pattern.exec(name)?.[1];
    if (match !== undefined) return match;
  }
  return name;
}

/** `claude_code.interaction`, `checkout-trace`: the name of an operation or of a wrapper around the agent. */
export function isOperation(name: string): boolean {
  return /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|[-_. ][Tt]race$|^execute_[a-z_]+$/.test(name);
}

/** `invoke_agent gpt-4o-mini`: a span without an agent's name is named after the model. */
function isModelName(name: string, node: SpanSource): boolean {
  return (
    name === node.text("requestModel") || name === node.text("responseModel") || name === node.text("model")
  );
}

export function sameAgent(a: string, b: string): boolean {
  return plainName(a) === plainName(b);
}
