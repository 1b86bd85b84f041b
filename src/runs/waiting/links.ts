import { append } from "../../support/structures/long-lists.ts";
import { withSingleSpaces } from "../continuation/produced-texts.ts";
import { argumentsOf, signatureOf } from "../notations/arguments.ts";
import { spanKey } from "../fragment.ts";
import { questionsFor } from "../who/asked-sub-agent.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";
import { ranLinks, soughtLinks } from "./sought-tools.ts";

/** Number of the last spans of an unfinished fragment, in addition to its root, to which a later fragment's span link may refer. */
const MOST_LINKABLE = 64;

const none: readonly string[] = [];

/**
 * Returns the links that a fragment leaves. A link is a text, derived for example from a call id. A later fragment continues an earlier
 * fragment if it *takes* a link that the earlier fragment *leaves*. `group-fragments.ts` joins the fragments of one service by links;
 * `sought-tools.ts` joins the traces of single tools.
 *
 * An OpenTelemetry span link joins an agent with a sub-agent that its tool started, and an unfinished fragment with the trace that resumes
 * it. A span link to a complete run joins nothing, because turns may be linked, too.
 *
 * A conversation id joins an unfinished fragment with a later fragment that does not begin with a new query. It never joins complete
 * fragments, because that would merge turns.
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
  if (boundary.mayBeRepeated) left.push(attempt(boundary));
  if (!boundary.isOpen) return left;
  if (boundary.question !== null) {
    if (lastRequests.length === 0) left.push(`question ${boundary.question}`);
    left.push(`results of ${boundary.question}`);
  }
  for (const { name, arguments: args } of lastRequests)
    for (const question of questionsFor(name, argumentsOf(args).value, boundary.question))
      left.push(`sub-agent ${question}`);
  for (const target of boundary.targets) left.push(`agent ${target}`);
  if (boundary.targets.length > 0 && boundary.question !== null) left.push(handedOver(boundary));
  for (const tool of boundary.unanswered) left.push(`tool ${tool}`);
  if (conversation !== null && boundary.lastCall !== null) left.push(`conversation ${conversation}`);
  else if (conversation !== null && !boundary.hasNoAgentSpan) left.push(`unanswered in ${conversation}`);
  return left;
}

/** Returns the link between a call without an answer and its repetition: both send the same question after an equally long history. */
function attempt({ conversation, question, fragment: { calls } }: FragmentBoundary): string {
  return `attempt ${conversation ?? ""} ${calls[0]?.inputs.length ?? 0} ${question ?? ""}`;
}

/**
 * Returns the link of an agent that handed its question over and gave no answer. The next agent's trace may begin with the same question.
 */
function handedOver({ conversation, question }: FragmentBoundary): string {
  return `handed over ${conversation ?? ""} ${question ?? ""}`;
}

/**
 * Returns the links that a fragment takes, highest rank first. If several fragments leave a link of the same rank, the latest fragment
 * counts.
 */
export function takesOf(boundary: FragmentBoundary): readonly (readonly string[])[] {
  const { thisTurn, conversation, firstAgent } = boundary;
  const { isBesideSpans, isAsideCall } = boundary.fragment;
  if (isBesideSpans) return [];
  const records = boundary.isSessionPart ? [`records ${conversation ?? ""}`] : none;
  if (isAsideCall) return [records];
  const requested = thisTurn.flatMap(({ calls }) => calls);
  const ids = requested.flatMap(({ id }) => id ?? []);
  // Some producers omit requests from the history, but the results there have the requests' ids.
  const returned = thisTurn.flatMap(({ results }) => results.flatMap(({ callId }) => callId ?? []));
  const taken: (readonly string[])[] = [
    records,
    (requested.length === 0 ? returned : ids).map((id) => `id ${id}`),
  ];
  // The history has tool results with neither ids nor requests, or an assistant message without content, which was a tool request.
  if (
    requested.length + returned.length === 0 &&
    thisTurn.some(
      ({ role, text, results }) => results.length > 0 || (role === "assistant" && (text ?? "") === ""),
    )
  )
    taken.push([`results of ${boundary.question ?? ""}`]);
  if (requested.length > 0) {
    if (boundary.question !== null) taken.push([`question ${boundary.question}`]);
    const signatures = requested.map(signatureOf);
    taken.push([
      ...signatures.map((one) => `call ${one}`),
      ...(ids.length === 0 ? signatures.map((one) => `call with id ${one}`) : []),
    ]);
  }
  // A sub-agent's answer is in its caller's history as a text, with no user message after it.
  if (boundary.hasNoAgentSpan)
    taken.push(
      thisTurn.flatMap(({ role, text }) =>
        role === "assistant" && text !== null && text !== "" ? [`text ${withSingleSpaces(text)}`] : [],
      ),
    );
  if (firstAgent !== null) taken.push([`agent ${firstAgent}`]);
  // The fragment begins with a tool that another fragment requested but did not finish: the tool waited for an approval, or has a separate
  // trace.
  taken.push(boundary.leadingIds.map((id) => `id ${id}`));
  taken.push(boundary.leadingTools.map((tool) => `tool ${tool}`));
  if (boundary.startsAnew && boundary.question !== null) {
    taken.push([handedOver(boundary)]);
    if (boundary.hasNoAgentSpan) taken.push([`sub-agent ${boundary.question}`]);
  }
  if (boundary.isWithoutQuestion) taken.push([`unanswered in ${conversation ?? ""}`]);
  if (conversation !== null) {
    if (!boundary.startsAnew) taken.push([`conversation ${conversation}`]);
    else if (boundary.hasNoAgentSpan && boundary.lastCall?.isBrokenOff === false)
      taken.push([attempt(boundary)]);
  }
  if (boundary.isLoneTool) taken.push(ranLinks(boundary));
  taken.push(boundary.fragment.linkedSpans.map((id) => `span ${id}`));
  return taken;
}
