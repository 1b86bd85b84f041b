import { SpanKind } from "../model/span-view.ts";
import type { Piece } from "./piece.ts";
import { transcriptCalls } from "./transcript-calls.ts";

/** A trace that only builds something, embeds texts or passes messages is none. */
export function isRun(pieces: readonly Piece[]): boolean {
  if (isStopped(pieces)) return true;
  let hasCalls: boolean | undefined;
  return pieces.some((piece) => {
    const { role, reading, failure } = piece;
    if (role === "call" || role === "tool" || role === "agent") return true;
    if (role !== "workflow" && role !== "step") return false;
    return (
      failure !== null ||
      (role === "workflow" && piece.parent === undefined && reading.has("input") && reading.has("output")) ||
      (role === "step" && reading.has("output") && (hasCalls ??= transcriptCalls(pieces).length > 0))
    );
  });
}

const protocol = /^(?:http|url|db|rpc|messaging|net|faas|server|client|network)\./;

/**
 * An application's own span that failed before anything below it began, as a guardrail leaves one. A span that speaks a protocol is some
 * other work that failed.
 */
export function isStopped(pieces: readonly Piece[]): boolean {
  const [only] = pieces;
  if (pieces.length !== 1 || only === undefined || only.role !== "unknown" || only.failure === null)
    return false;
  const { span } = only;
  const isWhole =
    span.parentSpanId === undefined && span.kind === SpanKind.internal && span.events.length > 0;
  return isWhole && !span.keys().some((name) => protocol.test(name));
}
