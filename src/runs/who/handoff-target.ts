import { plainName } from "../notations/names.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** Matches `transfer_to_X`, also after the prefix of a plugin or output tool. */
const named =
  /^(?:.*[-_.:\s])?(?:transfer|hand[_-]?off|handover|delegate|escalate)[-_ ]?(back[-_ ])?to[-_ ]+(.+)$/i;
/** Matches names of hand-off tools whose target is in the arguments. */
const generic =
  /^(?:.*[-_.])?(?:hand[_-]?off(?:_to_agent)?|transfer(?:_to)?_agent|transfer_to|delegate(?:_\w+)?|delegateTask|ask_question_to_coworker|ask question to coworker|delegate work to coworker|transfer_task_to_member|agent|task|sub_?agent|call_agent|invoke_agent)$/i;
/** Matches tool names which mean that another agent continues, but which do not name this agent. */
const transfer = /^(?:.*[-_.])?(?:hand[_-]?off(?:_to_agent)?|transfer(?:_to)?_agent|transfer_to)$/i;
/** Matches the suffix that some frameworks append to an agent's name, to name the tool that runs the agent. */
const asAgent = /[-_]agent$/i;
const calling = /^(?:agent|ask|call|consult|run|invoke|query)[-_](.+)$/i;

const targetKeys = wordList(`
  agent_name agentName to_agent toAgent coworker targetAgents target_agents targetAgent target_agent
  member_id member_name subagent_type subagentType agent_type recipient destination assistant handoff_to
  next_agent agent
`);

export type Target = { readonly to: string } | "back";

/**
 * Returns the hand-off target of a tool call, by its name and arguments. The result is an agent's name, "back" for a return to the previous
 * agent, or undefined for another tool. `spell` returns the usual spelling of a known agent, and undefined for an unknown name.
 */
export function targetOf(
  name: string,
  args: JsonValue | undefined,
  spell: (name: string) => string | undefined,
): Target | undefined {
  const { isBack, inName, inArguments, called } = transferIn(name);
  if (isBack) return "back";
  if (inName !== undefined) return { to: spell(inName) ?? inName };
  const target = inArguments ? targetIn(args) : undefined;
  if (target !== undefined) return { to: spell(target) ?? target };
  const known = spell(name) ?? spell(called) ?? spell(name.replace(asAgent, ""));
  return known === undefined ? undefined : { to: known };
}

/** Parts of a tool name that concern a hand-off. */
interface NamedTransfer {
  readonly isBack: boolean;
  /** The target agent in the name; undefined if the name has none. */
  readonly inName: string | undefined;
  /** Whether the name means a hand-off whose target is in the arguments. */
  readonly inArguments: boolean;
  /** X in `ask_X` or `run_X`; otherwise empty. X is an agent only if an agent has this name. */
  readonly called: string;
}

const transferIn = remembered((name): NamedTransfer => {
  const match = named.exec(name);
  const given = match?.[2];
  const isAny = given !== undefined && (plainName(given) === "agent" || plainName(given) === "coworker");
  return {
    isBack: match?.[1] !== undefined,
    inName: isAny ? undefined : given,
    inArguments: isAny || generic.test(name),
    called: calling.exec(name)?.[1] ?? "",
  };
});

/** Returns X for a tool named `ask_X` or `run_X`; empty for any other name. */
export function calledIn(name: string | null): string {
  return name === null ? "" : transferIn(name).called;
}

/**
 * Whether a tool with this name returns control to the agent that handed over. Frameworks add calls of such tools to histories, although no
 * model requested them.
 */
export function isReturn(name: string | null): boolean {
  return name !== null && transferIn(name).isBack;
}

/** Whether a tool with this name hands over to an agent that its arguments name. */
export function isTransfer(name: string): boolean {
  return transfer.test(name);
}

/** Whether a tool with this name asks another agent and returns that agent's answer, so that the caller continues. */
export function isDelegation(name: string): boolean {
  return !isTransfer(name) && (generic.test(name) || transferIn(name).called !== "");
}

function targetIn(args: JsonValue | undefined): string | undefined {
  if (!isObject(args)) return undefined;
  for (const key of targetKeys) {
    const value = args[key];
    const first = isArray(value) ? value[0] : value;
    if (typeof first === "string" && first !== "") return first;
  }
  return undefined;
}

const finalAnswer = /^(?:final[_-]?(?:answer|result)|finalanswertool|attempt_completion)$/i;

/** Whether a tool with this name only contains the answer. Such a tool counts neither as a tool nor as a hand-off. */
export function isFinalAnswer(name: string): boolean {
  return finalAnswer.test(name);
}
