import { type Attributes, span, type Span } from "./otlp.ts";

/** Spans, attributes and messages of OpenTelemetry's GenAI conventions, as tests write them. */

type Texts = Readonly<Record<string, string>>;

export function agentAttributes(name: string): Texts {
  return { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name };
}

export function chatAttributes(model: string): Texts {
  return { "gen_ai.operation.name": "chat", "gen_ai.request.model": model };
}

/** A call's id and result are only there if they are given. */
export function toolAttributes(name: string, callId?: string, result?: string): Texts {
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": name,
    ...(callId === undefined ? {} : { "gen_ai.tool.call.id": callId }),
    ...(result === undefined ? {} : { "gen_ai.tool.call.result": result }),
  };
}

export function tokenCounts(input: number, output: number): Readonly<Record<string, number>> {
  return { "gen_ai.usage.input_tokens": input, "gen_ai.usage.output_tokens": output };
}

export interface Message {
  readonly role: string;
  readonly parts: readonly object[];
}

/** A message that is a text. */
export function words(role: string, content: string): Message {
  return { role, parts: [{ type: "text", content }] };
}

/** An assistant's message that requests a tool. */
export function asks(id: string | undefined, name: string, args: object = {}): Message {
  const request = { type: "tool_call", ...(id === undefined ? {} : { id }), name, arguments: args };
  return { role: "assistant", parts: [request] };
}

/** A tool's message with the result of a request. */
export function returns(id: string, response: string): Message {
  return { role: "tool", parts: [{ type: "tool_call_response", id, response }] };
}

export function inputMessages(...messages: readonly unknown[]): Texts {
  return { "gen_ai.input.messages": JSON.stringify(messages) };
}

export function outputMessages(...messages: readonly unknown[]): Texts {
  return { "gen_ai.output.messages": JSON.stringify(messages) };
}

type Options = Parameters<typeof span>[6];

/** The span of an agent's run. */
export function agentSpan(
  id: string,
  parent: string | undefined,
  name: string,
  start: number,
  end: number,
  more: Attributes = {},
  options: Options = {},
): Span {
  return span(id, parent, `invoke_agent ${name}`, start, end, { ...agentAttributes(name), ...more }, options);
}

/** The span of a model call that takes 5 ms. */
export function chatSpan(
  id: string,
  parent: string | undefined,
  start: number,
  more: Attributes = {},
  options: Options = {},
): Span {
  return span(id, parent, "chat small", start, start + 5, { ...chatAttributes("small"), ...more }, options);
}

/** The span of a tool call that takes 5 ms. */
export function toolSpan(
  id: string,
  parent: string | undefined,
  name: string,
  start: number,
  more: Attributes = {},
  options: Options = {},
): Span {
  return span(
    id,
    parent,
    `execute_tool ${name}`,
    start,
    start + 5,
    { ...toolAttributes(name), ...more },
    options,
  );
}
