import type { FragmentBoundary } from "./fragment-boundary.ts";
import { signature } from "./fragment-boundary.ts";
import { seekingKeys, soughtKeys } from "./tool-seekers.ts";
import { withSingleSpaces } from "../text/holds-text.ts";

/** What a fragment leaves for another to take up, and what it takes up itself. */
export interface LinkKeys {
  readonly left: readonly string[];
  readonly taken: readonly string[];
}

/**
 * The linkKeys by which `predecessorOf` may find a fragment or start from it: a rule joins two fragments only if what one leaves is among
 * what the other takes up. So fragments that are not tied, not even over others, need not be compared.
 */
export function linkKeysOf(boundary: FragmentBoundary): LinkKeys {
  return { left: [...leftBy(boundary)], taken: [...takenBy(boundary)] };
}

function* leftBy(boundary: FragmentBoundary): Generator<string> {
  const { lastRequests, finalText, conversation } = boundary;
  for (const { id, name, arguments: args } of lastRequests) {
    if (id !== null) yield `id ${id}`;
    yield `call ${signature(name ?? undefined, args)}`;
  }
  if (boundary.hasNoAgentSpan && finalText !== undefined) yield `text ${finalText}`;
  if (boundary.seeksTools) yield* seekingKeys(boundary);
  if (!boundary.isOpen) return;
  if (lastRequests.length === 0 && boundary.asked !== undefined) yield `question ${boundary.asked}`;
  for (const target of boundary.targets) yield `agent ${target}`;
  for (const tool of boundary.unanswered) yield `tool ${tool}`;
  if (conversation !== undefined && boundary.lastCall !== undefined) yield `conversation ${conversation}`;
}

function* takenBy(boundary: FragmentBoundary): Generator<string> {
  const { thisTurn, conversation } = boundary;
  const asked = thisTurn.flatMap((message) => message.calls);
  for (const { id, name, arguments: args } of asked) {
    if (id !== null) yield `id ${id}`;
    yield `call ${signature(name ?? undefined, args)}`;
  }
  if (asked.length > 0 && boundary.asked !== undefined) yield `question ${boundary.asked}`;
  if (boundary.hasNoAgentSpan) {
    for (const { role, text } of thisTurn)
      if (role === "assistant" && text !== null && text !== "") yield `text ${withSingleSpaces(text)}`;
  }
  if (boundary.firstAgent !== undefined) yield `agent ${boundary.firstAgent}`;
  if (boundary.isLoneTool) yield* soughtKeys(boundary);
  for (const tool of boundary.leadingTools) yield `tool ${tool}`;
  if (conversation !== undefined && !boundary.startsAnew) yield `conversation ${conversation}`;
}
