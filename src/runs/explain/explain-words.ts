import type { Explanation } from "../../model/explanation.ts";
import type { AgentRun } from "../../model/run.ts";
import { holdsText } from "../continuation/produced-texts.ts";
import { inputsOf, outputsOf } from "../calls/call-messages.ts";
import type { Evidence } from "../evidence.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { Steps } from "../ledger/steps.ts";
import { answerIn, questionIn } from "../notations/words.ts";
import { precedence } from "./precedences.ts";
import { fromRoot } from "../results/query.ts";
import { speakersOf } from "../results/speakers.ts";
import { type Candidate, chosen, distinct, spanSource, spansOf, textsIn } from "./sources.ts";

const spokenIn = "event or log record";

export function explainQuery(run: AgentRun, evidence: Evidence): Explanation {
  const { query } = run;
  const nodes = [...new Set([...fromRoot(evidence.root), ...spansOf(evidence.allCalls[0])])];
  const candidates = nodes.flatMap((node) => [
    ...textsIn(node, ["inputMessages", "input", "history"], questionIn),
    ...spoken(node, "user"),
  ]);
  const isWrapped =
    query !== null &&
    !candidates.some(({ text }) => text === query) &&
    candidates.some(({ text }) => holdsText(text, query));
  const found = chosen(
    "query",
    query,
    distinctBySpan(candidates),
    ({ text }) =>
      query !== null && holdsText(text, query)
        ? "this text contains the query and other text"
        : "this text differs from the user message of the first model call",
    6,
  );
  const [{ prompt }] = evidence.fragments;
  if (prompt !== null && prompt === query)
    return {
      ...found,
      note: "the user's original text, from the log record of the prompt",
      precedence: precedence(6),
    };
  if (isWrapped)
    return {
      ...found,
      note: "without the wrapper of a harness or framework",
      precedence: precedence(6),
    };
  return elsewhere(found, query, evidence);
}

export function explainAnswer(run: AgentRun, evidence: Evidence, { uses, last }: Steps): Explanation {
  const nodes = [...new Set([...spansOf(last ?? undefined), ...speakersOf(evidence.root, evidence.nodes)])];
  const candidates = nodes.flatMap((node) => [
    ...textsIn(node, ["outputText", "outputMessages", "output"], answerIn),
    ...spoken(node, "assistant"),
  ]);
  const why =
    run.status === "error"
      ? "in a failed run, only the output of the last model call or of the root span is an answer"
      : "the text of the last model call takes precedence, and text next to a tool call is not an answer";
  const found = chosen("answer", run.answer, distinctBySpan(candidates), () => why, 2);
  const explained = elsewhere(
    found.passedOver.length > 0 ? { ...found, precedence: precedence(2) } : found,
    run.answer,
    evidence,
  );
  const given = uses.findLast(({ output }) => output !== null);
  if (given === undefined || run.answer === null) return explained;
  return {
    ...explained,
    note: `the model gave the answer through the tool ${given.name ?? "?"}: ${given.output ?? ""}`,
  };
}

/** Returns the messages with this role in a span's events and log records. */
function spoken(node: SpanFacts, role: "user" | "assistant"): Candidate[] {
  if (node.span.events.length === 0 && node.span.logs.length === 0) return [];
  return (role === "user" ? inputsOf(node) : outputsOf(node)).flatMap((message) =>
    message.text !== null && message.role === role
      ? [{ ...spanSource(node, message.text, spokenIn), text: message.text, isInferred: false }]
      : [],
  );
}

/** Removes a message whose text is already listed as an attribute of the same span. */
function distinctBySpan(candidates: readonly Candidate[]): Candidate[] {
  const byAttribute = new Set(
    candidates
      .filter(({ attribute }) => attribute !== spokenIn)
      .map(({ spanId, text }) => `${spanId} ${text}`),
  );
  return distinct(
    candidates.filter(
      ({ attribute, spanId, text }) => attribute !== spokenIn || !byAttribute.has(`${spanId} ${text}`),
    ),
  );
}

/**
 * If no candidate has the value, adds the first span whose messages contain it as source. If no span contains it either, notes that the
 * value is combined from several sources.
 */
function elsewhere(explanation: Explanation, value: string | null, evidence: Evidence): Explanation {
  if (value === null || explanation.from.length > 0) return explanation;
  const node = evidence.nodes.find((one) =>
    [...inputsOf(one), ...outputsOf(one)].some(({ text }) => text !== null && holdsText(text, value)),
  );
  if (node === undefined) return { ...explanation, note: "combined from the texts of several spans" };
  return {
    ...explanation,
    from: [spanSource(node, value)],
    note: "the text is one of the messages of this span",
  };
}
