import { type Attributes, log } from "./otlp.ts";

/** Log records of coding agents: each names a session, and none a trace. */
type LogRecord = ReturnType<typeof log>;

export function sessionRecord(name: string, at: number, attributes: Attributes, session = "s1"): LogRecord {
  const named = { "event.name": name, "session.id": session, ...attributes };
  const { traceId: _traceId, spanId: _spanId, ...rest } = log("x", undefined, "", named, at);
  return rest;
}

/** The records as one document of a service. */
export function sessionDocument(
  logRecords: readonly LogRecord[],
  service = "coder",
): Record<string, unknown> {
  const resource = { attributes: [{ key: "service.name", value: { stringValue: service } }] };
  return { resourceLogs: [{ resource, scopeLogs: [{ scope: { name: "events" }, logRecords }] }] };
}

/** The record of a model call's end. */
export function responseRecord(
  at: number,
  input: number,
  output: number,
  more: Attributes = {},
  session?: string,
): LogRecord {
  const counts = { input_token_count: input, output_token_count: output };
  return sessionRecord(
    "coder.api_response",
    at,
    { model: "gpt-4o-mini", ...counts, duration_ms: 10, ...more },
    session,
  );
}

export function requestRecord(at: number, input: number, output: number, session?: string): LogRecord {
  const counts = { input_tokens: input, output_tokens: output };
  return sessionRecord("api_request", at, { model: "gpt-4o-mini", ...counts, duration_ms: 10 }, session);
}

const toolCall = {
  function_name: "count",
  function_args: '{"file":"notes.txt"}',
  success: true,
  duration_ms: 5,
};

export function toolRecord(at: number, session?: string): LogRecord {
  return sessionRecord("coder.tool_call", at, toolCall, session);
}

/** One question, a tool and an answer, as two families of programs write them. */
export const turnNotations = {
  "records of requests": (question: string, at: number, session?: string): LogRecord[] => [
    sessionRecord("user_prompt", at, { prompt: question }, session),
    requestRecord(at + 20, 100, 8, session),
    sessionRecord(
      "tool_result",
      at + 40,
      { tool_name: "count", success: "true", tool_input: '{"file":"notes.txt"}', duration_ms: 5 },
      session,
    ),
    requestRecord(at + 60, 120, 5, session),
    sessionRecord("assistant_response", at + 61, { model: "gpt-4o-mini", response: "Two lines." }, session),
  ],
  "records of responses": (question: string, at: number, session?: string): LogRecord[] => [
    sessionRecord("coder.user_prompt", at, { prompt: question }, session),
    responseRecord(at + 20, 100, 8, {}, session),
    toolRecord(at + 40, session),
    responseRecord(at + 60, 120, 5, { response_text: "Two lines." }, session),
  ],
};
