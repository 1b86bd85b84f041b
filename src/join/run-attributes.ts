import type { Piece } from "../adapt/piece.ts";
import type { JsonValue } from "../model/json.ts";
import type { AttributesView } from "../model/span-view.ts";
import type { KeptAttributes } from "./kept-attributes.ts";

/** The attributes to keep of the resource, then of all spans above the root, then of the root itself. */
export function runAttributes(root: Piece, kept: KeptAttributes): Map<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  copy(root.span.resource, kept, found);
  const above: Piece[] = [];
  for (let at: Piece | undefined = root; at !== undefined; at = at.parent) above.unshift(at);
  for (const piece of above) copy(piece.span, kept, found);
  return found;
}

function copy(view: AttributesView, kept: KeptAttributes, to: Map<string, JsonValue>): void {
  for (const name of kept.among(view)) {
    const value = view.named(name);
    if (value !== undefined) to.set(name, value);
  }
}
