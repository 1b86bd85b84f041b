import type { EarlierFragments } from "./earlier-fragments.ts";
import type { FragmentBoundary } from "./fragment-boundary.ts";
import { signature } from "./fragment-boundary.ts";
import { withSingleSpaces } from "../text/holds-text.ts";

/**
 * Tells which earlier fragment a later one goes on from. The rules are tried in order; of several that fit, the latest. An id
 * shared by a conversation alone never joins: it would merge its turns. Nor does anything join over a pause of `maxPauseMs`: ids repeat.
 */
export function predecessorOf(
  later: FragmentBoundary,
  earlier: EarlierFragments,
  maxPauseMs: number,
): FragmentBoundary | undefined {
  for (const rule of rules) {
    const found = rule(later, earlier);
    if (found !== undefined && later.fragment.start - found.fragment.end < maxPauseMs) return found;
  }
  return undefined;
}

type Rule = (later: FragmentBoundary, earlier: EarlierFragments) => FragmentBoundary | undefined;

/** The later one's history holds what the earlier one's last call asked for, or the answers to it. */
const continuesHistory: Rule = (later, earlier) => {
  const asked = later.thisTurn.flatMap((message) => message.calls);
  if (asked.length === 0) return earlier.thatAskedId(answered(later));
  const ids = asked.flatMap(({ id }) => id ?? []);
  const byId = earlier.thatAskedId(ids);
  if (byId !== undefined) return byId;
  const unseen = later.asked === undefined ? undefined : earlier.thatAskedUnseen(later.asked);
  if (unseen !== undefined) return unseen;
  const signatures = asked.map(({ name, arguments: args }) => signature(name ?? undefined, args));
  return earlier.thatAsked(signatures, ids.length === 0);
};

/** Some producers leave the model's requests out of the history; what came back has their ids. */
function answered(later: FragmentBoundary): string[] {
  return later.thisTurn.flatMap(({ results }) => results.flatMap(({ callId }) => callId ?? []));
}

/** A sub-agent's words came back to the one that asked it: they are in the history, and no user spoke since. */
const continuesText: Rule = (later, earlier) => {
  if (!later.hasNoAgentSpan) return undefined;
  const said = later.thisTurn.filter(
    ({ role, text }) => role === "assistant" && text !== null && text !== "",
  );
  return earlier.thatSaid(said.map(({ text }) => withSingleSpaces(text ?? "")));
};

/** The earlier one handed over to this one's agent. */
const takesOver: Rule = (later, earlier) =>
  later.firstAgent === undefined ? undefined : earlier.thatHandedTo(later.firstAgent);

/** It begins with a tool that the earlier one left waiting: somebody agreed. */
const resumesTool: Rule = (later, earlier) => earlier.thatWaitsFor(later.leadingTools);

/** One conversation, and the earlier part was left open. */
const goesOnOpen: Rule = (later, earlier) =>
  later.conversation === undefined || later.startsAnew ? undefined : earlier.openIn(later.conversation);

/** A tool's span lost its way to the agent that asked for it, as with streams that other threads read. */
const ranForAgent: Rule = (later, earlier) => (later.isLoneTool ? earlier.thatSeeks(later) : undefined);

const rules: readonly Rule[] = [
  continuesHistory,
  continuesText,
  takesOver,
  resumesTool,
  goesOnOpen,
  ranForAgent,
];
