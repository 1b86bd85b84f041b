import { append } from "../../support/structures/long-lists.ts";
import { withSingleSpaces } from "../continuation/produced-texts.ts";
import { argumentsOf, signatureOf } from "../notations/arguments.ts";
import { spanKey } from "../fragment.ts";
import { questionsFor } from "../who/asked-sub-agent.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";
import { ranLinks, soughtLinks } from "./sought-tools.ts";

/** Number of last spans of an unfinished fragment that a span link can refer to, besides its root. */
const MOST_LINKABLE = 64;

const none: readonly string[] = [];

/**
 * Links that a fragment leaves. A later fragment continues an earlier one if it *takes* a link that the earlier one *leaves*. A link is a
 * text, derived for example from a call id. An OpenTelemetry span link joins an agent with the sub-agent that one of its tools started, and
 * an unfinished fragment with the trace that resumes it; a link to a complete run joins nothing, because turns may be linked, too.
 * `group-fragments.ts` joins fragments of one service by links, `sought-tools.ts` traces of a lone tool. A conversation id joins an
 * unfinished fragment with a later fragment that does not begin with a new query. It does not join complete fragments, because it would
 * merge turns.
 */
export function leavesOf(boundary: FragmentBoundary): string[] {
  const { lastRequests, finalText, conversation } = boundary;
  const left: string[] = [];
  if (boundary.fragment.isBesideSpans) return conversation === null ? left : [`records ${conversation}`];
  if (boundary.fragment.isAsideCall) return left;
  for (const request of lastRequests) {
    if (request.id !== null) left.push(`id ${request.id}`);
    left.push(`${request.id === null ? "call" : "call with id"} ${signatureOf(request)}`);
  }
  if (boundary.hasNoAgentSpan && finalText !== null) left.push(`text ${finalText}`);
  if (boundary.seeksTools) append(left, soughtLinks(boundary));
  const { root, nodes } = boundary.fragment;
  const linkable = boundary.isOpen ? [root, ...nodes.slice(-MOST_LINKABLE)] : boundary.delegations;
  for (const { span } of linkable) left.push(`span ${spanKey(span)}`);
  if (boundary.isRefused) left.push(attempt(boundary));
  if (!boundary.isOpen) return left;
  if (boundary.asked !== null) {
    if (lastRequests.length === 0) left.push(`question ${boundary.asked}`);
    left.push(`results of ${boundary.asked}`);
  }
  for (const { name, arguments: args } of lastRequests)
    for (const question of questionsFor(name, argumentsOf(args).value, boundary.asked))
      left.push(`sub-agent ${question}`);
  for (const target of boundary.targets) left.push(`agent ${target}`);
  if (boundary.targets.length > 0 && boundary.asked !== null) left.push(handedOver(boundary));
  for (const tool of boundary.unanswered) left.push(`tool ${tool}`);
  if (conversation !== null && boundary.lastCall !== null) left.push(`conversation ${conversation}`);
  else if (conversation !== null && !boundary.hasNoAgentSpan) left.push(`unanswered in ${conversation}`);
  return left;
}

/** A refused call and its repetition have the same question and conversation. */
function attempt({ conversation, asked }: FragmentBoundary): string {
  return `attempt ${conversation ?? ""} ${asked ?? ""}`;
}

/** Link of an agent that handed over its question without an answer. The next agent's trace may begin with the handed-over question. */
function handedOver({ conversation, asked }: FragmentBoundary): string {
  return `handed over ${conversation ?? ""} ${asked ?? ""}`;
}

/** Links that a fragment takes, by rank. If several fragments leave a link of the same rank, the latest fragment counts. */
export function takesOf(boundary: FragmentBoundary): readonly (readonly string[])[] {
  const { thisTurn, conversation, firstAgent } = boundary;
  const { isBesideSpans, isAsideCall } = boundary.fragment;
  if (isBesideSpans) return [];
  const records = boundary.isSessionPart ? [`records ${conversation ?? ""}`] : none;
  if (isAsideCall) return [records];
  const asked = thisTurn.flatMap(({ calls }) => calls);
  const ids = asked.flatMap(({ id }) => id ?? []);
  // Some producers omit requests from the history; the results have their ids.
  const returned = thisTurn.flatMap(({ results }) => results.flatMap(({ callId }) => callId ?? []));
  const taken: (readonly string[])[] = [
    records,
    (asked.length === 0 ? returned : ids).map((id) => `id ${id}`),
  ];
  // The history has tool results without ids and without their requests, or an assistant message without content, which was a request.
  if (
    asked.length + returned.length === 0 &&
    thisTurn.some(
      ({ role, text, results }) => results.length > 0 || (role === "assistant" && (text ?? "") === ""),
    )
  )
    taken.push([`results of ${boundary.asked ?? ""}`]);
  if (asked.length > 0) {
    if (boundary.asked !== null) taken.push([`question ${boundary.asked}`]);
    const signatures = asked.map(signatureOf);
    taken.push([
      ...signatures.map((one) => `call ${one}`),
      ...(ids.length === 0 ? signatures.map((one) => `call with id ${one}`) : []),
    ]);
  }
  // A sub-agent's answer was returned to its caller: the caller's history has the text, without a later user message.
  if (boundary.hasNoAgentSpan)
    taken.push(
      thisTurn.flatMap(({ role, text }) =>
        role === "assistant" && text !== null && text !== "" ? [`text ${withSingleSpaces(text)}`] : [],
      ),
    );
  if (firstAgent !== null) taken.push([`agent ${firstAgent}`]);
  // The fragment begins with a tool that another fragment left open: after an approval, or as a separate tool trace.
  taken.push(boundary.leadingIds.map((id) => `id ${id}`));
  taken.push(boundary.leadingTools.map((tool) => `tool ${tool}`));
  if (boundary.startsAnew && boundary.asked !== null) {
    taken.push([handedOver(boundary)]);
    if (boundary.hasNoAgentSpan) taken.push([`sub-agent ${boundary.asked}`]);
  }
  if (boundary.isWithoutQuestion) taken.push([`unanswered in ${conversation ?? ""}`]);
  if (conversation !== null) {
    if (!boundary.startsAnew) taken.push([`conversation ${conversation}`]);
    else if (boundary.hasNoAgentSpan) taken.push([attempt(boundary)]);
  }
  if (boundary.isLoneTool) taken.push(ranLinks(boundary));
  taken.push(boundary.fragment.linkedSpans.map((id) => `span ${id}`));
  return taken;
}
