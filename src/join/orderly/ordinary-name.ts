import { plainName } from "../../adapt/messages/pick.ts";
import { calledIn, isFinalAnswer, saysHandoff } from "../handoff-target.ts";

/** By name: under which plain names an agent would make it a hand-off; null where it is one, or an answer, by itself. */
const known = new Map<string, readonly string[] | null>();
/** Strangers choose the names: with more than this the table begins anew. */
const MOST_NAMES = 2048;

/** A tool that nobody could take for a hand-off, `agent` being the only one, or for the answer. */
export function isOrdinaryName(name: string, agent: string): boolean {
  let agents = known.get(name);
  if (agents === undefined) {
    if (known.size >= MOST_NAMES) known.clear();
    known.set(name, (agents = agentsIn(name)));
  }
  return agents !== null && !agents.includes(plainName(agent));
}

function agentsIn(name: string): readonly string[] | null {
  if (isFinalAnswer(name) || saysHandoff(name)) return null;
  const called = calledIn(name);
  return called === undefined ? [plainName(name)] : [plainName(name), plainName(called)];
}
