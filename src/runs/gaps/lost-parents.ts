import { key } from "../../model/telemetry/attribute-key.ts";
import { SpanKind } from "../../model/telemetry/span-view.ts";
import { isAbout, isOwner } from "../calls/tree.ts";
import type { Evidence } from "../evidence.ts";
import type { SpanFacts } from "../facts/span-facts.ts";
import type { Fragment } from "../fragment.ts";

const SERVICE = key("service.name");

/** Whether a span below the root lost its parent, so that other spans of the run may be lost too. */
export function hasLostParent({ fragments }: Evidence): boolean {
  return fragments.some(dangles);
}

/**
 * Whether a span of a fragment lost its parent. Parents above the root do not matter: neither the parent of the outermost span, nor a
 * parent that a span shares with it.
 */
function dangles({ root, nodes }: Fragment): boolean {
  let top: SpanFacts | null = null;
  for (const node of nodes) {
    if (node.parentCame || node === root || node.span.parentSpanId === undefined) continue;
    // An application's span may be beside the agent, unless the agent's span is the outermost one of the trace.
    if (!isAbout(node) && root.span.parentSpanId !== undefined) continue;
    top ??= topOf(root);
    const above = top.span.parentSpanId;
    if (node === top || node.span.parentSpanId === above) continue;
    // Below a missing parent of the root, another agent may be a sibling of the root.
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

/** Whether the parent may be the span of another process, which need not report. Flags of older SDKs do not show a remote parent. */
function mayBeRemote({ span }: SpanFacts, root: SpanFacts): boolean {
  const { kind, flags = 0, resource } = span;
  if (kind === SpanKind.server || kind === SpanKind.consumer || (flags & IS_REMOTE) !== 0) return true;
  return (flags & HAS_IS_REMOTE) === 0 && resource.text(SERVICE) !== root.span.resource.text(SERVICE);
}
