import { type Attributes, messages, requestOf, spanOf, type TraceRequest } from "./span.ts";

/** Format of the history in a span's attributes: a JSON list, a list in a JSON object, or one attribute for each field of each message. */
export const historyForms = ["list", "object", "indexed"] as const;
export type HistoryForm = (typeof historyForms)[number];

interface Message {
  readonly role: string;
  readonly content: string;
  /** Id of the tool call that the message answers. */
  readonly toolId?: string;
  /** Id of the tool call that the message requests. */
  readonly asks?: string;
}

const MILLISECOND = 1_000_000n;
const BEGUN = 1_763_700_000_000_000_000n;
const ANSWER = "It is seven metres deep.";
const TOOL = "measure";

/**
 * One trace of an agent that calls its model `calls` times; each call except the last requests a tool. Each call repeats all earlier
 * messages. Texts and ids differ between traces.
 */
export function conversation(form: HistoryForm, calls: number, trace: number): TraceRequest {
  const question = `How deep is lake ${trace}?`;
  const idOf = (at: number): string => `c${at.toString(16).padStart(15, "0")}`;
  const span = (at: number, name: string, attributes: Attributes) =>
    spanOf({
      traceId: `c${trace.toString(16).padStart(31, "0")}`,
      spanId: idOf(at),
      parentSpanId: at === 0 ? "" : idOf(0),
      name,
      startNano: BEGUN + BigInt(trace * 1_000_000 + at) * MILLISECOND,
      endNano: BEGUN + BigInt(trace * 1_000_000 + (at === 0 ? calls + 1 : at + 1)) * MILLISECOND,
      attributes,
    });
  const history: Message[] = [{ role: "user", content: question }];
  const spans = Array.from({ length: calls }, (_, at) => {
    const toolId = `call_${trace}x${at}`;
    const isLast = at === calls - 1;
    const reply: Message = isLast
      ? { role: "assistant", content: ANSWER }
      : { role: "assistant", content: "", asks: toolId };
    const made = span(at + 1, "chat", attributesOf(form, history, reply));
    history.push(reply, {
      role: "tool",
      content: `Station ${at} of lake ${trace} measured ${at * 7} m.`,
      toolId,
    });
    return made;
  });
  const root: Attributes =
    form === "indexed"
      ? {
          "openinference.span.kind": "AGENT",
          "agent.name": "surveyor",
          "input.value": question,
          "output.value": ANSWER,
        }
      : {
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.agent.name": "surveyor",
          "gen_ai.input.messages": messages("user", question),
          "gen_ai.output.messages": messages("assistant", ANSWER),
        };
  return requestOf([...spans, span(0, "agent", root)]);
}

function attributesOf(form: HistoryForm, history: readonly Message[], reply: Message): Attributes {
  if (form === "indexed")
    return {
      "openinference.span.kind": "LLM",
      "llm.model_name": "gpt-4o-mini",
      "llm.token_count.prompt": 40 * history.length,
      "llm.token_count.completion": 12,
      ...Object.assign({}, ...history.map((one, at) => indexed(`llm.input_messages.${at}.message`, one))),
      ...indexed("llm.output_messages.0.message", reply),
    };
  const list = history.map(inParts);
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "gpt-4o-mini",
    "gen_ai.usage.input_tokens": 40 * history.length,
    "gen_ai.usage.output_tokens": 12,
    "gen_ai.input.messages": JSON.stringify(
      form === "list" ? list : { model: "gpt-4o-mini", messages: list, temperature: 0 },
    ),
    "gen_ai.output.messages": JSON.stringify([inParts(reply)]),
  };
}

function inParts({ role, content, toolId, asks }: Message): object {
  if (asks !== undefined)
    return { role, parts: [{ type: "tool_call", id: asks, name: TOOL, arguments: {} }] };
  if (toolId !== undefined)
    return { role, parts: [{ type: "tool_call_response", id: toolId, response: content }] };
  return { role, parts: [{ type: "text", content }] };
}

function indexed(prefix: string, { role, content, toolId, asks }: Message): Record<string, string> {
  const call = `${prefix}.tool_calls.0.tool_call`;
  return {
    [`${prefix}.role`]: role,
    ...(content === "" ? {} : { [`${prefix}.content`]: content }),
    ...(toolId === undefined ? {} : { [`${prefix}.tool_call_id`]: toolId }),
    ...(asks === undefined
      ? {}
      : {
          [`${call}.id`]: asks,
          [`${call}.function.name`]: TOOL,
          [`${call}.function.arguments`]: "{}",
        }),
  };
}
