import { fieldIndex } from "./fields.ts";
import type { Piece } from "./piece.ts";
import { exceptionsOf, failureText } from "./read-failure.ts";
import { callId, isBare, readTool, toolName } from "./read-tool.ts";

/** What a tool's span says of its call besides its contents. */
export interface SeenTool {
  readonly name: string | undefined;
  readonly callId: string | undefined;
  readonly error: string | null;
  readonly hasResult: boolean;
}

/** The same as `readTool`, which is asked only where the tool's contents may bear on it. */
export function seeTool(piece: Piece): SeenTool {
  const plain = looksPlain(piece);
  if (plain !== undefined) return plain;
  const { name, callId, error, result } = readTool(piece);
  return { name, callId, error, hasResult: result !== undefined };
}

/** A message around the result, an error in it, or a result that is none. */
const telling = /tool_call_id|rror|null/;
const resultField = fieldIndex.get("result") ?? 0;

function looksPlain(piece: Piece): SeenTool | undefined {
  const { reading, failure, span } = piece;
  const name = toolName(piece);
  if (name === undefined || reading.dialects.derive[resultField] !== undefined || reading.has("output"))
    return undefined;
  const hasResult = reading.has("result");
  if (hasResult) {
    const text = reading.text("result");
    if (text === undefined || telling.test(text) || !reading.layout.isSingle(resultField, span))
      return undefined;
  } else if (reading.guess() !== undefined || reading.has("error") || piece.attached.loose.length > 0)
    return undefined;
  if (span.events.length > 0 && piece.attached.outputs.length > 0) return undefined;
  if (failure !== null && isBare(piece)) return undefined;
  return { name, callId: callId(piece), error: failure ?? quietFailure(piece), hasResult };
}

/** Under a status that says nothing of it. */
function quietFailure(piece: Piece): string | null {
  const failed = exceptionsOf(piece.span).length > 0 || piece.text("errorType") !== undefined;
  return failed ? failureText(piece.reading) : null;
}
