import { fieldIndex } from "../fields.ts";
import { exceptionsOf, failureText } from "../read-failure.ts";
import { isBare, isNoId, isNoName, readTool, toolName } from "../read-tool.ts";
import type { PlainSpan } from "./plain-span.ts";

/** What a tool's span says of its call besides its contents. */
export interface SeenTool {
  readonly name: string | undefined;
  readonly callId: string | undefined;
  readonly error: string | null;
  readonly hasResult: boolean;
}

/** The same as `readTool`, which is asked only where the tool's contents may bear on it. */
export function seeTool(tool: PlainSpan): SeenTool {
  const plain = looksPlain(tool);
  if (plain !== undefined) return plain;
  const { name, callId, error, result } = readTool(tool.piece);
  return { name, callId, error, hasResult: result !== undefined };
}

/** A message around the result, an error in it, or a result that is none. */
const telling = /tool_call_id|rror|null/;
const TOOL = fieldIndex("tool");
const CALL_ID = fieldIndex("callId");
const RESULT = fieldIndex("result");
const ERROR = fieldIndex("error");
const ERROR_TYPE = fieldIndex("errorType");

function looksPlain(tool: PlainSpan): SeenTool | undefined {
  const { failure, span } = tool;
  const name = nameOf(tool);
  if (name === undefined || tool.hasDerived) return undefined;
  const hasResult = tool.has(RESULT);
  if (hasResult) {
    const text = tool.text(RESULT);
    if (text === undefined || telling.test(text) || !tool.isSingle(RESULT)) return undefined;
  } else if (tool.hasGuesses || tool.has(ERROR)) return undefined;
  if (span.events.length > 0 && hangsOn(tool, hasResult)) return undefined;
  if (failure !== null && isBare(tool.piece)) return undefined;
  const id = tool.text(CALL_ID);
  const callId = id === undefined || isNoId(id) ? undefined : id;
  return { name, callId, error: failure ?? quietFailure(tool), hasResult };
}

function nameOf(tool: PlainSpan): string | undefined {
  const given = tool.text(TOOL);
  return given !== undefined && !isNoName(given) ? given : toolName(tool.piece);
}

/** Its events hold what it gave. */
function hangsOn({ piece }: PlainSpan, hasResult: boolean): boolean {
  const { loose, outputs } = piece.attached;
  return outputs.length > 0 || (!hasResult && loose.length > 0);
}

/** Under a status that says nothing of it. */
function quietFailure(tool: PlainSpan): string | null {
  const failed =
    (tool.span.events.length > 0 && exceptionsOf(tool.span).length > 0) ||
    tool.text(ERROR_TYPE) !== undefined;
  return failed ? failureText(tool.piece.reading) : null;
}
