import type { Piece } from "../adapt/piece.ts";
import type { JsonValue } from "../model/json.ts";
import type { AttributesView } from "../model/span-view.ts";

/** Attributes of resource and root that are kept on a run; a name ending in `*` is a prefix. */
export const defaultAttributes: readonly string[] = [
  "service.version",
  "deployment.environment.name",
  "gen_ai.agent.id",
  "gen_ai.agent.version",
  "gen_ai.prompt.name",
  "gen_ai.prompt.version",
  "vcs.*",
  "tracejury.*",
];

/** The allowed attributes of the resource, then of all spans above the root, then of the root itself. */
export function runAttributes(root: Piece, allowed: readonly string[]): Map<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  copy(root.span.resource, allowed, found);
  const above: Piece[] = [];
  for (let at: Piece | undefined = root; at !== undefined; at = at.parent) above.unshift(at);
  for (const piece of above) copy(piece.span, allowed, found);
  return found;
}

function copy(view: AttributesView, allowed: readonly string[], to: Map<string, JsonValue>): void {
  for (const name of view.keys()) {
    if (!allowed.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : name === one)))
      continue;
    const value = view.named(name);
    if (value !== undefined) to.set(name, value);
  }
}
