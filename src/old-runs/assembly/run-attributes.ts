import type { SpanNode } from "../span/span-node.ts";
import type { JsonValue } from "../../model/json.ts";
import type { AttributesView, SpanView } from "../../model/telemetry/span-view.ts";
import type { KeptAttributes } from "./kept-attributes.ts";

/** The attributes to keep of the resource, then of all spans above the root, then of the root itself. */
export function runAttributes(root: SpanNode, kept: KeptAttributes): Map<string, JsonValue> {
  const above: SpanView[] = [];
  for (let at: SpanNode | undefined = root; at !== undefined; at = at.parent) above.unshift(at.span);
  return attributesDownTo(above, kept);
}

/** The same of the root, the last of these spans, and those above it. */
function attributesDownTo(above: readonly SpanView[], kept: KeptAttributes): Map<string, JsonValue> {
  const found = new Map<string, JsonValue>();
  const root = above[above.length - 1];
  if (root !== undefined) copy(root.resource, kept, found);
  for (const span of above) copy(span, kept, found);
  return found;
}

function copy(view: AttributesView, kept: KeptAttributes, to: Map<string, JsonValue>): void {
  for (const name of kept.among(view)) {
    const value = view.named(name);
    if (value !== undefined) to.set(name, value);
  }
}
