import { key } from "../../model/telemetry/attribute-key.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import { wordList } from "../../support/structures/word-list.ts";
import { F } from "../facts/fields.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import { isPlaceholder, plainName } from "../notations/names.ts";

/** Default agent names of frameworks, and names of steps; neither identifies an agent. */
const usual: ReadonlySet<string> = new Set(
  wordList(`
    agent_workflow openai_agent openai_agents agent agents agent_run run tools tool model call_model
    call_agent call_llm llm LangGraph Pipeline AsyncPipeline Crew Graph Flow Team Runner AgentRunner
    RunnableSequence AgentExecutor turn task ClaudeAgent ClaudeAgentSDK.query unknown invocation
    workflow chain default undefined null None true false gen_ai generate invoke_agent should_continue assistant
    user FunctionAgent AgentWorkflow ReActAgent CodeActAgent CompiledStateGraph CompiledGraph StateGraph
    ToolCallingAgent CodeAgent ReAct ChainOfThought Predict ProgramOfThought CodeAct ChatAgent
    AssistantAgent ConversableAgent RunnableLambda __start__ pre_model_hook post_model_hook
    generate_structured_response spring_ai_chat_client call stream query chat_client strands_agent
    model_request model_response single_run conversation session crewai autogen claude_code_conversation
    claude_agent_sdk AutoFunctionInvocationLoop evaluateNode AxGen AxFlow AxAgent single_run_sequential single_run_parallel
  `).map(plainName),
);
/** Names in `usual` that are accepted if they are the value of an agent-name attribute. */
const given: ReadonlySet<string> = new Set(["assistant", "agent", "team"]);

/** Whether a name can be an agent name. It must not be a framework's default, a template, a class or method, or a numbered step. */
export function isAgentName(name: string | null | undefined): name is string {
  return name !== null && name !== undefined && isPossibleName(name) && !usual.has(plainName(name));
}

/** Whether a name from an agent-name attribute can be an agent name. Some usual names (`given`) are accepted here. */
export function isGivenName(name: string | null | undefined): name is string {
  if (name === null || name === undefined || !isPossibleName(name)) return false;
  const plain = plainName(name);
  // A dotted name such as `session.llm` means an operation, even in an agent-name attribute.
  const last = /^[a-z_]\w*(?:\.[a-z_]\w*)*\.([a-z_]\w*)$/.exec(name)?.[1];
  if (last !== undefined && usual.has(plainName(last)) && !given.has(last)) return false;
  return !usual.has(plain) || (given.has(plain) && /^[A-Z]/.test(name));
}

const isPossibleName = remembered((name) => {
  if (name.trim() === "" || name.length > 120) return false;
  // A leading slash or a domain begins a path, such as the path of an agent in a tree of agents, or of a Go package.
  if (isPlaceholder(name) || isFrameworkClass(name) || /^(?:[\w-]+\.[\w.-]+)?\/|[{}<>]/.test(name))
    return false;
  // A UUID is an id, which frameworks create for each agent or run, and not a name.
  if (/(?:^|[._ ])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name)) return false;
  if (/^(?:step|turn|iteration|task|node)[\s_-]*\d+$/i.test(name)) return false;
  if (/^ai\.(?:generate|stream)[A-Z]|\(\)$/.test(name)) return false;
  if (/^(?:transfer|hand[_-]?off)[_-](?:back[_-])?to[_-]/i.test(name)) return false;
  return !/^(?:[A-Z]\w*|_\w+)\.\w+$/.test(name);
});

/** Whether a name is a framework's class with its module, such as `dspy.ReAct`. */
function isFrameworkClass(name: string): boolean {
  const className = /^[a-z_]\w*\.([A-Z]\w*)$/.exec(name)?.[1];
  return className !== undefined && usual.has(plainName(className));
}

const namePatterns: readonly RegExp[] = [
  /^agent[:\s]+(?<quote>['"])(?<name>.+)\k<quote>/i,
  /^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+ (.+)$/,
  /^langchain4j\.aiservices\.(?:\w+\$)*(\w+)\.\w+$/,
  /^invoke_agent (.+)$/,
  /^invoke_workflow (.+)$/,
  /^agent\w* ?\[(.+)\]$/i,
  /^(?:agent run|agent|workflow|running agent|subagent)[:\s]+(.+)$/i,
  /^(.+)\.(?:agent|workflow|run|kickoff|invoke|ainvoke|stream|astream|on_messages(?:_stream)?|arun|_?execute_(?:core|task)|forward|aforward)$/,
];

/** Returns the agent name in a span name such as `invoke_agent clerk`; without such a form, the span name. */
export const nameInSpan = remembered((name) => {
  for (const pattern of namePatterns) {
    const match = pattern.exec(name);
    const found = match?.groups?.["name"] ?? match?.[1];
    if (found !== undefined) return found;
  }
  return name;
});

/** Whether a name is that of an operation or of a wrapper around the agent, such as `claude_code.interaction` or `checkout-trace`. */
export const isOperation = remembered((name) =>
  /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|[-_. ][Tt]race$|^execute_[a-z_]+$/.test(name),
);

const DESCRIPTION = key("gen_ai.agent.description");

/** Usual names that are accepted for an agent with a description. Frameworks describe their default agents, too, but do not name them so. */
const described: ReadonlySet<string> = new Set(
  wordList("task query chain tool call generate stream workflow"),
);

/**
 * Returns the agent name in a span's attribute, without the framework's method after it (`OrderDesk.run`). Some usual names (`described`)
 * are accepted if the producer also describes the agent.
 */
function givenName({ agent, span }: SpanFacts): string | null {
  if (agent === null || isGivenName(agent)) return agent;
  const isDescribed = described.has(agent) && (span.text(DESCRIPTION) ?? "") !== "";
  if (isDescribed) return agent;
  const inner = nameInSpan(agent);
  // Before a method, other words than an agent's name mean an operation: `api.stream`.
  const isName = /^[A-Z]/.test(inner) || isNamedAsAgent(inner);
  return inner !== agent && isName && isAgentName(inner) && !isOperation(inner) ? inner : null;
}

/** Agent name of a span, from the producer's attribute or the span name; null if there is none. */
export function agentNameOf(facts: SpanFacts): string | null {
  const given = givenName(facts);
  if (given !== null) return given;
  const named = nameInSpan(facts.span.name);
  if (!isAgentName(named) || isOperation(named)) return null;
  // If an agent has no name, some producers name its span after the model: `invoke_agent gpt-4o-mini`.
  const isModel = named === facts.requestModel || named === facts.responseModel || named === facts.model;
  return isModel ? null : named;
}

/** Whether a producer names the agent, in an attribute or in a span name. */
export function isNamedAgent(facts: SpanFacts): boolean {
  const { name } = facts.span;
  const named = nameInSpan(name);
  return givenName(facts) !== null || (named !== name && isAgentName(named));
}

export function hasAgentName({ role, agentName }: SpanFacts): boolean {
  return role === "agent" && agentName !== null;
}

export function sameAgent(a: string, b: string): boolean {
  return a === b || plainName(a) === plainName(b);
}

/**
 * Returns the name of a workflow span, which may be a sub-agent implemented as a flow; null if it is not an agent name. A function's name
 * that describes an action is not an agent's name.
 */
export function workflowName(facts: SpanFacts): string | null {
  if (facts.role !== "workflow") return null;
  const name = facts.textAt(F.workflow) ?? nameInSpan(facts.span.name);
  return isAgentName(name) && !isNamedAsAction(name) ? name : null;
}

/** Matches names of several words in PascalCase, such as `OrderDesk`. */
const writtenAsName = /^[A-Z][a-z]+(?:[A-Z][a-z]+)+$/;
/** Matches the first word of names for actions, and the last word of names for program components. */
const action =
  /^(?:Add|Answer|Ask|Build|Call|Chat|Check|Complete|Create|Do|Evaluate|Execute|Fetch|Generate|Get|Handle|Invoke|Load|Make|Post|Process|Query|Read|Receive|Run|Save|Send|Serve|Start|Stream|Test|Update|Validate|Write)[A-Z]|(?:App|Call|Chain|Chat|Client|Completion|Controller|Endpoint|Event|Example|Executor|Flow|Function|Graph|Handler|Job|Loop|Main|Message|Middleware|Node|Pipeline|Prompt|Query|Queue|Request|Response|Route|Run|Runner|Server|Service|Session|Span|Step|Task|Test|Trace|Turn|Worker|Workflow)$/;

/**
 * Whether the name of a span or function can be an agent's: several words, such as `OrderDesk` or `order_desk`, that describe neither
 * an action (`answer_question`) nor a program component (`chat_client`).
 */
export function isNamedAsAgent(name: string): boolean {
  const words = inPascalCase(name);
  return writtenAsName.test(words) && !action.test(words);
}

/** Whether the name of a function has several words and describes an action (`answer_reader`) or a program component. */
export function isNamedAsAction(name: string): boolean {
  const words = inPascalCase(name);
  return writtenAsName.test(words) && action.test(words);
}

function inPascalCase(name: string): string {
  return name.replace(/(?:^|[_ ])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
