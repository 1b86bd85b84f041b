import { isArray, isObject, type JsonValue } from "../../model/json.ts";
import { remembered } from "../../support/structures/bounded-memo.ts";
import { canonicalArguments } from "../text/canonical-arguments.ts";
import { unfold } from "../messages/unfold.ts";
import { messagesWithin } from "../messages/read-messages.ts";
import { lastText, storedOutput, structuredAnswer } from "../span/read-texts.ts";
import type { SpanNode } from "../span/span-node.ts";
import type { Evidence } from "./evidence.ts";
import { isFinalAnswer } from "./handoff-target.ts";
import { speakersOf } from "./speakers.ts";
import { type ToolUse, argumentsOfUse, nameOfUse } from "./tool-use.ts";

/** Tools of a framework's own by which a model gives a structured answer. */
const outputNames =
  /^(?:final_result(?:_\w+)?|(?:strands_|generate_?)?structured_?(?:response|output)|set_model_response|__structured_output__|extract-\d+)$/i;

/** What frameworks return to the model for such a tool, whatever its name. */
const acknowledgement =
  /^(?:Returning structured response\b|Final result processed\b|Output tool not used\b|Successfully validated \S+ structured output|Structured output provided successfully|Response set successfully)/i;

/** Whether a tool of this name carries the answer, whatever the framework. */
export const isOutputName = remembered((name) => isFinalAnswer(name) || outputNames.test(name));

/**
 * The tools that only carry the structured answer, by name, each with how that is known: by the tool's name, by what the framework returned for it, or because the
 * request declared the tool for this or allowed no other, or because the framework stored what the model gave as the run's result. The
 * last three are asked of a run's last model call only: whatever an agent waits for was asked before.
 */
export function outputUses(
  evidence: Evidence,
  uses: readonly ToolUse[],
): ReadonlyMap<string | null, string> | undefined {
  if (uses.length === 0) return undefined;
  let reasons: Map<string | null, string> | undefined;
  const last = evidence.lastCall;
  const place = last === undefined ? -1 : evidence.allCalls.indexOf(last);
  for (const use of uses) {
    const name = nameOfUse(use);
    if (name === null || reasons?.has(name) === true) continue;
    const why =
      reasonFor(use, name) ?? (use.requested?.call === place ? reasonAtEnd(use, name, evidence) : undefined);
    if (why !== undefined) (reasons ??= new Map()).set(name, why);
  }
  return reasons;
}

function reasonFor(use: ToolUse, name: string): string | undefined {
  if (isOutputName(name)) return "its name says that it carries the answer";
  return isAcknowledgement(use.requested?.result?.content) ||
    use.executions.some(({ result }) => isAcknowledgement(result))
    ? "the framework returned to the model that the answer is given"
    : undefined;
}

function isAcknowledgement(text: JsonValue | undefined): boolean {
  return typeof text === "string" && acknowledgement.test(text);
}

function reasonAtEnd(use: ToolUse, name: string, evidence: Evidence): string | undefined {
  const node = evidence.lastCall?.node;
  if (node === undefined) return undefined;
  if (declaredIn(node).includes(name)) return "the request declares it as an output tool";
  if (use.executions.length > 0 || use.requested?.result !== undefined) return undefined;
  if (isOnlyChoice(name, node)) return "the request allowed no other tool, and nothing ran it";
  const args = argumentsOfUse(use);
  const stored = args === undefined ? undefined : (storedAnswer(evidence) ?? acknowledged(evidence));
  return stored !== undefined && canonicalArguments(unfold(stored)) === canonicalArguments(args)
    ? "the framework stored its arguments as the run's result"
    : undefined;
}

/** What LangChain says in the agent's name for a structured answer: `Returning structured response: {…}`. */
const announced = /^Returning structured response: (?=[{[])/;

function acknowledged({ root }: Evidence): string | undefined {
  const text = root.has("output")
    ? lastText(messagesWithin(root.json("output"), "assistant"), "assistant")
    : undefined;
  return text !== undefined && announced.test(text) ? text.replace(announced, "") : undefined;
}

/** The tools that a request declares as carriers of the answer. */
function declaredIn(node: SpanNode): readonly string[] {
  const text = node.has("outputTools") ? node.text("outputTools") : undefined;
  if (text === undefined || !text.includes("output_tools")) return [];
  const value = node.json("outputTools");
  const list = isObject(value) ? value["output_tools"] : undefined;
  return (isArray(list) ? list : []).flatMap((tool) => {
    const name = isObject(tool) ? tool["name"] : undefined;
    return typeof name === "string" ? [name] : [];
  });
}

const forced = /["']tool_?[cC]hoice\\*["']\s*:\s*(\{[^{}]*(?:\{[^{}]*\})?[^{}]*\})/;

function isOnlyChoice(name: string, node: SpanNode): boolean {
  return (["parameters", "input"] as const).some((field) => {
    const text = node.has(field) ? node.text(field) : undefined;
    const choice = text === undefined ? undefined : forced.exec(text)?.[1];
    return choice !== undefined && new Set(choice.split(/[\\"']+/)).has(name);
  });
}

/** The result that the framework stored for the run: where its outermost span or an agent's says so. */
export function storedAnswer(evidence: Pick<Evidence, "root" | "nodes">): string | undefined {
  for (const node of speakersOf(evidence)) {
    const stored = storedIn(node);
    if (stored !== undefined) return stored;
  }
  return undefined;
}

/** The result that a span of an agent says was stored. */
export function storedIn(node: SpanNode): string | undefined {
  const text = node.has("outputText") ? node.text("outputText") : undefined;
  if (text !== undefined) return structuredAnswer(node.json("outputText"));
  return node.has("output") ? storedOutput(node.json("output")) : undefined;
}

/** The answer that an output tool was given: its arguments, or the text in them where the tool takes nothing but a text. */
export function answerGiven(use: ToolUse): string | undefined {
  const args = argumentsOfUse(use);
  if (args === undefined || typeof args === "string") return args;
  const name = nameOfUse(use);
  return (name !== null && isFinalAnswer(name) ? onlyText(args) : undefined) ?? JSON.stringify(args);
}

function onlyText(args: JsonValue): string | undefined {
  if (!isObject(args)) return undefined;
  const [text, ...others] = Object.values(args);
  return others.length === 0 && typeof text === "string" ? text : undefined;
}
