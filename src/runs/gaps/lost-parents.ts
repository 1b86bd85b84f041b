import { key } from "../../model/telemetry/attribute-key.ts";
import { SpanKind } from "../../model/telemetry/span-view.ts";
import { isAbout, isOwner } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { Fragment } from "../fragment.ts";

const SERVICE = key("service.name");

/** Whether a span below the root lost its parent. Further spans of the run may then be lost, too. */
export function hasLostParent({ fragments }: Evidence): boolean {
  return fragments.some(dangles);
}

/**
 * Whether a span of a fragment has a missing parent below the root. A missing parent above the root is not a loss. Two kinds of spans
 * therefore do not count: the outermost span, and spans with the same parent id.
 */
function dangles({ root, nodes }: Fragment): boolean {
  let top: SpanFacts | null = null;
  for (const node of nodes) {
    if (node.parentCame || node === root || node.span.parentSpanId === undefined) continue;
    // Unless the root is the outermost span of the trace, an application's span may be outside the agent.
    if (!isAbout(node) && root.span.parentSpanId !== undefined) continue;
    top ??= topOf(root);
    const above = top.span.parentSpanId;
    if (node === top || node.span.parentSpanId === above) continue;
    // If the root's parent is missing, an agent with a missing parent may be a sibling of the root.
    if (above !== undefined && isOwner(node)) continue;
    if (!mayBeRemote(node, root)) return true;
  }
  return false;
}

function topOf(node: SpanFacts): SpanFacts {
  let top = node;
  while (top.parent !== null) top = top.parent;
  return top;
}

const HAS_IS_REMOTE = 0x100;
const IS_REMOTE = 0x200;

/**
 * Whether the parent may be the span of another process, which may not send telemetry. If the flags do not state this (older SDKs), a
 * service other than the root's counts as a sign.
 */
function mayBeRemote({ span }: SpanFacts, root: SpanFacts): boolean {
  const { kind, flags = 0, resource } = span;
  if (kind === SpanKind.server || kind === SpanKind.consumer || (flags & IS_REMOTE) !== 0) return true;
  return (flags & HAS_IS_REMOTE) === 0 && resource.text(SERVICE) !== root.span.resource.text(SERVICE);
}
