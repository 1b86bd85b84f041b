import { int, type KeyValue, type Span, text, type TraceRequest } from "./otlp-json.ts";
import { requestOf } from "./agent-spans.ts";

/** How the history of a conversation stands in an attribute: a JSON list, a list in a JSON object, or a key for each part of each message. */
export const historyForms = ["list", "object", "indexed"] as const;
export type HistoryForm = (typeof historyForms)[number];
export const historyDialects = ["openinference", "genai"] as const;
export type HistoryDialect = (typeof historyDialects)[number];

interface Turn {
  readonly question: string;
  readonly toolId: string;
}

const MILLISECOND = 1_000_000n;
const BEGUN = 1_763_700_000_000_000_000n;

/**
 * One trace of an agent that calls its model so many times, once for each tool result, and sends all that was said before with each call. The texts
 * and ids of each trace are its own.
 */
export function conversation(
  dialect: HistoryDialect,
  form: HistoryForm,
  calls: number,
  trace: number,
): TraceRequest {
  const traceId = `c${trace.toString(16).padStart(31, "0")}`;
  const idOf = (at: number): string => `c${at.toString(16).padStart(15, "0")}`;
  const span = (at: number, name: string, attributes: KeyValue[]): Span => ({
    traceId,
    spanId: idOf(at),
    parentSpanId: at === 0 ? "" : idOf(0),
    flags: 257,
    name,
    kind: 1,
    startTimeUnixNano: String(BEGUN + BigInt(trace * 1_000_000 + at) * MILLISECOND),
    endTimeUnixNano: String(
      BEGUN + BigInt(trace * 1_000_000 + (at === 0 ? calls + 1 : at + 1)) * MILLISECOND,
    ),
    attributes,
    status: {},
  });
  const turns = Array.from({ length: calls }, (_, at): Turn => ({
    question:
      at === 0 ? `How deep is lake ${trace}?` : `Station ${at} of lake ${trace} measured ${at * 7} metres.`,
    toolId: `call_${trace}x${at}`,
  }));
  const own = dialects[dialect];
  const spans = turns.map((_, at) =>
    span(at + 1, "chat", own.call(form, turns.slice(0, at + 1), at === calls - 1)),
  );
  return requestOf([...spans, span(0, "agent", own.agent(turns[0]?.question ?? ""))]);
}

interface Dialect {
  /** Attributes of the call that gets these turns; the last call answers, others ask for a tool. */
  call(form: HistoryForm, turns: readonly Turn[], isLast: boolean): KeyValue[];
  agent(question: string): KeyValue[];
}

const ANSWER = "It is seven metres deep.";
const toolName = "measure";

const openinference: Dialect = {
  agent: (question) => [
    text("openinference.span.kind", "AGENT"),
    text("agent.name", "surveyor"),
    text("input.value", question),
    text("output.value", ANSWER),
  ],
  call: (form, turns, isLast) => [
    text("openinference.span.kind", "LLM"),
    text("llm.model_name", "gpt-4o-mini"),
    int("llm.token_count.prompt", 40 * turns.length),
    int("llm.token_count.completion", 12),
    ...(form === "indexed"
      ? messagesOf(turns).flatMap((message, at) =>
          indexedOpeninference(`llm.input_messages.${at}.message`, message),
        )
      : [text("input.value", written(form, messagesOf(turns))), text("input.mime_type", "application/json")]),
    ...indexedOpeninference("llm.output_messages.0.message", reply(turns, isLast)),
  ],
};

const genai: Dialect = {
  agent: (question) => [
    text("gen_ai.operation.name", "invoke_agent"),
    text("gen_ai.agent.name", "surveyor"),
    text("gen_ai.input.messages", JSON.stringify([inParts({ role: "user", content: question })])),
    text("gen_ai.output.messages", JSON.stringify([inParts({ role: "assistant", content: ANSWER })])),
  ],
  call: (form, turns, isLast) => [
    text("gen_ai.operation.name", "chat"),
    text("gen_ai.request.model", "gpt-4o-mini"),
    int("gen_ai.usage.input_tokens", 40 * turns.length),
    int("gen_ai.usage.output_tokens", 12),
    ...(form === "indexed"
      ? messagesOf(turns).flatMap((message, at) => indexedGenai(`gen_ai.prompt.${at}`, message))
      : [text("gen_ai.input.messages", written(form, messagesOf(turns).map(inParts)))]),
    ...(form === "indexed"
      ? indexedGenai("gen_ai.completion.0", reply(turns, isLast))
      : [text("gen_ai.output.messages", JSON.stringify([inParts(reply(turns, isLast))]))]),
  ],
};

const dialects: Readonly<Record<HistoryDialect, Dialect>> = { openinference, genai };

interface Message {
  readonly role: string;
  readonly content: string;
  readonly toolId?: string;
  readonly asks?: string;
}

function messagesOf(turns: readonly Turn[]): Message[] {
  return turns.flatMap(({ question }, at): Message[] => {
    if (at === 0) return [{ role: "user", content: question }];
    const toolId = turns[at - 1]?.toolId ?? "";
    return [
      { role: "assistant", content: "", asks: toolId },
      { role: "tool", content: question, toolId },
    ];
  });
}

function reply(turns: readonly Turn[], isLast: boolean): Message {
  const asks = turns[turns.length - 1]?.toolId ?? "";
  return isLast ? { role: "assistant", content: ANSWER } : { role: "assistant", content: "", asks };
}

function written(form: HistoryForm, messages: readonly unknown[]): string {
  if (form === "list") return JSON.stringify(messages.map(asChat));
  return JSON.stringify({ model: "gpt-4o-mini", messages: messages.map(asChat), temperature: 0 });
}

function asChat(message: unknown): unknown {
  const { role, content, toolId, asks } = message as Message;
  if (role === undefined || content === undefined) return message;
  if (asks !== undefined)
    return {
      role,
      tool_calls: [{ id: asks, type: "function", function: { name: toolName, arguments: "{}" } }],
    };
  return toolId === undefined ? { role, content } : { role, content, tool_call_id: toolId };
}

/** As the semantic conventions have it. */
function inParts({ role, content, toolId, asks }: Message): object {
  if (asks !== undefined)
    return { role, parts: [{ type: "tool_call", id: asks, name: toolName, arguments: {} }] };
  if (toolId !== undefined)
    return { role, parts: [{ type: "tool_call_response", id: toolId, response: content }] };
  return { role, parts: [{ type: "text", content }] };
}

function indexedOpeninference(prefix: string, { role, content, toolId, asks }: Message): KeyValue[] {
  const call = `${prefix}.tool_calls.0.tool_call`;
  return [
    text(`${prefix}.role`, role),
    ...(content === "" ? [] : [text(`${prefix}.content`, content)]),
    ...(toolId === undefined ? [] : [text(`${prefix}.tool_call_id`, toolId)]),
    ...(asks === undefined
      ? []
      : [
          text(`${call}.id`, asks),
          text(`${call}.function.name`, toolName),
          text(`${call}.function.arguments`, "{}"),
        ]),
  ];
}

function indexedGenai(prefix: string, { role, content, toolId, asks }: Message): KeyValue[] {
  const call = `${prefix}.tool_calls.0`;
  return [
    text(`${prefix}.role`, role),
    ...(content === "" ? [] : [text(`${prefix}.content`, content)]),
    ...(toolId === undefined ? [] : [text(`${prefix}.tool_call_id`, toolId)]),
    ...(asks === undefined
      ? []
      : [text(`${call}.id`, asks), text(`${call}.name`, toolName), text(`${call}.arguments`, "{}")]),
  ];
}
