import { key } from "../../model/telemetry/attribute-key.ts";
import type { AttributesView } from "../../model/telemetry/span-view.ts";
import type { Batch } from "../../otlp/rows/batch.ts";
import { viewLog } from "../../otlp/rows/log-view.ts";
import { viewSpan } from "../../otlp/rows/span-view.ts";

/** Attributes that contain the session of a span or log record. If several are present, the first in this list is used. */
const SESSIONS = [
  "session.id",
  "gen_ai.conversation.id",
  "conversation.id",
  "session_id",
  "conversation_id",
  "thread_id",
].map((name) => key(name));
const PROMPTS = ["prompt.id", "prompt_id"].map((name) => key(name));
/** Attributes that contain the id of a model call or tool call. */
const SUBJECTS = [
  "gen_ai.response.id",
  "request_id",
  "response_id",
  "gen_ai.tool.call.id",
  "tool_use_id",
  "tool_call_id",
  "call_id",
].map((name) => key(name));
const LONGEST_ID = 256;
const none: readonly string[] = [];

/**
 * Returns service and session of a log record as one text; undefined if it names neither a session nor a prompt. A prompt id is used if
 * there is no session id.
 */
export function sessionOfRecord(record: AttributesView, service: string): string | undefined {
  return sessionIn(record, service, SESSIONS) ?? sessionIn(record, service, PROMPTS);
}

/**
 * Returns service and session of a log record as one text; undefined if it names no session. A prompt id does not count as a session id
 * here.
 */
export function sessionOfLog(batch: Batch, row: number, service: string): string | undefined {
  return sessionIn(viewLog(batch, row), service, SESSIONS);
}

/** Returns the session and the id of the call or tool that a log record names, as one text; undefined if it does not name both. */
export function subjectOfRecord(record: AttributesView, service: string): string | undefined {
  return subjectsIn(record, service)[0];
}

/** Returns each session that a span names, as one text with the service. */
export function sessionsOfSpan(batch: Batch, row: number, service: string): readonly string[] {
  const span = viewSpan(batch, row, []);
  return SESSIONS.flatMap((name) => sessionIn(span, service, [name]) ?? []);
}

/** Returns each combination of the span's session and an id of a call or tool that the span names. */
export function subjectsOfSpan(batch: Batch, row: number, service: string): readonly string[] {
  return subjectsIn(viewSpan(batch, row, []), service);
}

function subjectsIn(view: AttributesView, service: string): readonly string[] {
  const session = sessionIn(view, service, SESSIONS);
  if (session === undefined) return none;
  const ids = new Set<string>();
  for (const name of SUBJECTS) {
    const id = view.text(name);
    if (id !== undefined && id !== "" && id.length <= LONGEST_ID) ids.add(`${session}\u0000${id}`);
  }
  return [...ids];
}

function sessionIn(view: AttributesView, service: string, names: typeof SESSIONS): string | undefined {
  for (const name of names) {
    const id = view.text(name);
    if (id === undefined) continue;
    return id === "" || id.length > LONGEST_ID ? undefined : sessionKey(service, id);
  }
  return undefined;
}

/** Returns service and session as one text. */
export function sessionKey(service: string, id: string): string {
  return `${service}\u0000${id}`;
}
