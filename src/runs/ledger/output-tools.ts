import { isObject, type JsonValue } from "../../model/json.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import type { LlmCall } from "../calls/llm-call.ts";
import type { Evidence } from "../evidence.ts";
import { unfold } from "../notations/parse-text.ts";
import { speakersOf, storedIn } from "../results/speakers.ts";
import { isFinalAnswer } from "../who/handoff-target.ts";
import { argumentsKey } from "../notations/arguments.ts";
import type { ToolUse } from "./tool-use.ts";

/** Matches names of the tools with which frameworks return a structured answer. */
const outputNames =
  /^(?:final_output|final_result(?:_\w+)?|(?:strands_|generate_?)?structured_?(?:response|output)|set_model_response|__structured_output__|extract-\d+)$/i;

/** Matches the results that frameworks return for an output tool. The tool may have any name. */
const acknowledgement =
  /^(?:Returning structured response\b|Final result processed\b|Output tool not used\b|Successfully validated \S+ structured output|Structured output provided successfully|Response set successfully)/i;

/** Whether any framework uses this name for an output tool. */
export const isOutputName = remembered((name) => isFinalAnswer(name) || outputNames.test(name));

/**
 * Marks the uses of output tools. The reason is the tool's name, the framework's result, or a stored result of the run that equals the
 * tool's arguments. A stored result counts only for the last model call, because the agent continues after all earlier requests.
 */
export function markOutputs(evidence: Evidence, uses: readonly ToolUse[], last: LlmCall | null): void {
  if (uses.length === 0) return;
  const place = last === null ? -1 : evidence.allCalls.indexOf(last);
  const reasons = new Map<string, string>();
  for (const use of uses) {
    const { name } = use;
    if (name === null || reasons.has(name)) continue;
    const why =
      reasonFor(use, name) ?? (use.call === place && last !== null ? reasonAtEnd(use, evidence) : null);
    if (why !== null) reasons.set(name, why);
  }
  for (const use of uses) use.output = reasons.get(use.name ?? "") ?? null;
}

function reasonFor(use: ToolUse, name: string): string | null {
  if (isOutputName(name)) return "the tool's name is one that frameworks use for output tools";
  const isTaken =
    isAcknowledgement(use.returned?.content) ||
    use.executions.some(({ result }) => isAcknowledgement(result));
  return isTaken ? "the framework's result for the call confirms that the answer was given" : null;
}

function isAcknowledgement(text: JsonValue | undefined): boolean {
  return typeof text === "string" && acknowledgement.test(text);
}

function reasonAtEnd(use: ToolUse, evidence: Evidence): string | null {
  if (use.executions.length > 0 || use.returned !== null) return null;
  const args = use.arguments;
  const stored = args === undefined ? null : storedAnswer(evidence);
  return stored !== null && argumentsKey(unfold(stored)) === argumentsKey(args)
    ? "the framework stored its arguments as the run's result"
    : null;
}

/** The stored result of the run, from its outermost span or an agent span; null if there is none. */
export function storedAnswer({ root, nodes }: Evidence): string | null {
  for (const node of speakersOf(root, nodes)) {
    const stored = storedIn(node);
    if (stored !== null) return stored;
  }
  return null;
}

/**
 * Returns the answer in an output tool; null if the arguments are not recorded. The answer is the arguments as JSON, or the text if it is
 * the only argument of a tool such as `final_answer`.
 */
export function answerGiven(use: ToolUse): string | null {
  const args = use.arguments;
  if (args === undefined) return null;
  if (typeof args === "string") return args;
  const values = isObject(args) && use.name !== null && isFinalAnswer(use.name) ? Object.values(args) : [];
  const [only] = values;
  return values.length === 1 && typeof only === "string" ? only : JSON.stringify(args);
}
