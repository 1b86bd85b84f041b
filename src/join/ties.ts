import type { Seams } from "./seams.ts";
import { signature } from "./seams.ts";
import { squeeze } from "./texts.ts";

/** What a fragment leaves for another to take up, and what it takes up itself. */
export interface Ties {
  readonly left: readonly string[];
  readonly taken: readonly string[];
}

/**
 * The ties by which `predecessorOf` may find a fragment or start from it: a rule joins two fragments only if what one leaves is among
 * what the other takes up. So fragments that are not tied, not even over others, need not be compared.
 */
export function tiesOf(seams: Seams): Ties {
  return { left: [...leftBy(seams)], taken: [...takenBy(seams)] };
}

function* leftBy(seams: Seams): Generator<string> {
  const { lastRequests, finalText, conversation } = seams;
  for (const { id, name, arguments: args } of lastRequests) {
    if (id !== null) yield `id ${id}`;
    yield `call ${signature(name ?? undefined, args)}`;
  }
  if (seams.isBare && finalText !== undefined) yield `text ${finalText}`;
  if (!seams.isOpen) return;
  if (lastRequests.length === 0 && seams.asked !== undefined) yield `question ${seams.asked}`;
  for (const target of seams.targets) yield `agent ${target}`;
  for (const tool of seams.unanswered) yield `tool ${tool}`;
  if (conversation !== undefined && seams.lastCall !== undefined) yield `conversation ${conversation}`;
}

function* takenBy(seams: Seams): Generator<string> {
  const { thisTurn, conversation } = seams;
  const asked = thisTurn.flatMap((message) => message.calls);
  for (const { id, name, arguments: args } of asked) {
    if (id !== null) yield `id ${id}`;
    yield `call ${signature(name ?? undefined, args)}`;
  }
  if (asked.length > 0 && seams.asked !== undefined) yield `question ${seams.asked}`;
  if (seams.isBare) {
    for (const { role, text } of thisTurn)
      if (role === "assistant" && text !== null && text !== "") yield `text ${squeeze(text)}`;
  }
  if (seams.firstAgent !== undefined) yield `agent ${seams.firstAgent}`;
  for (const tool of seams.leadingTools) yield `tool ${tool}`;
  if (conversation !== undefined && !seams.startsAnew) yield `conversation ${conversation}`;
}
