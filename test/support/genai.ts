/** Attributes and messages of OpenTelemetry's GenAI conventions, as spans of tests have them. */

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
