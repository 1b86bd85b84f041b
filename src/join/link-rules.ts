import type { Seams } from "./seams.ts";
import { signature } from "./seams.ts";
import { squeeze } from "./texts.ts";

/**
 * Tells which earlier fragment a later one goes on from. The rules are tried in order; a rule that holds for several takes
 * the latest. An id shared by a conversation alone never joins: it would merge its turns.
 */
export function predecessorOf(later: Seams, earlier: readonly Seams[]): Seams | undefined {
  for (const rule of rules) {
    const found = rule(later, earlier);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Rule = (later: Seams, earlier: readonly Seams[]) => Seams | undefined;

/** The later one's history holds what the earlier one's last call asked for. */
const continuesHistory: Rule = (later, earlier) => {
  const asked = later.thisTurn.flatMap((message) => message.calls);
  if (asked.length === 0) return undefined;
  const ids = new Set(asked.flatMap(({ id }) => id ?? []));
  const byId = latest(earlier, ({ lastRequests }) =>
    lastRequests.some(({ id }) => id !== null && ids.has(id)),
  );
  if (byId !== undefined) return byId;
  const unseen = latest(
    earlier,
    (one) =>
      one.isOpen && one.lastRequests.length === 0 && one.asked !== undefined && one.asked === later.asked,
  );
  if (unseen !== undefined) return unseen;
  const kinds = new Set(asked.map(({ name, arguments: args }) => signature(name ?? undefined, args)));
  return latest(earlier, ({ lastRequests }) =>
    lastRequests.some(
      ({ id, name, arguments: args }) =>
        (id === null || ids.size === 0) && kinds.has(signature(name ?? undefined, args)),
    ),
  );
};

/** A sub-agent's words came back to the one that asked it: they are in the history, and no user spoke since. */
const continuesText: Rule = (later, earlier) => {
  if (!later.isBare) return undefined;
  const said = new Set(
    later.thisTurn.flatMap(({ role, text }) =>
      role === "assistant" && text !== null && text !== "" ? squeeze(text) : [],
    ),
  );
  return said.size === 0
    ? undefined
    : latest(earlier, ({ finalText }) => finalText !== undefined && said.has(finalText));
};

/** The earlier one handed over to this one's agent. */
const takesOver: Rule = (later, earlier) => {
  const agent = later.firstAgent;
  if (agent === undefined) return undefined;
  return latest(earlier, (one) => one.isOpen && one.targets.some((target) => target === agent));
};

/** It begins with a tool that the earlier one left waiting: somebody agreed. */
const resumesTool: Rule = (later, earlier) => {
  const tools = later.leadingTools;
  if (tools.length === 0) return undefined;
  return latest(earlier, (one) => one.isOpen && one.unanswered.some((tool) => tools.includes(tool)));
};

/** One conversation, and the earlier part was left open. */
const goesOnOpen: Rule = (later, earlier) => {
  const id = later.conversation;
  if (id === undefined || startsAnew(later)) return undefined;
  return latest(earlier, (one) => one.isOpen && one.lastCall !== undefined && one.conversation === id);
};

/** A user's question that nobody answered yet: the beginning of a run. */
function startsAnew(later: Seams): boolean {
  const first = later.fragment.calls[0];
  return first !== undefined && first.inputs.length > 0 && later.thisTurn.length === 0;
}

const rules: readonly Rule[] = [continuesHistory, continuesText, takesOver, resumesTool, goesOnOpen];

function latest(earlier: readonly Seams[], test: (one: Seams) => boolean): Seams | undefined {
  return earlier.findLast(test);
}
