import { ReadMessage } from "./read-message.ts";

/** DSPy's tool that ends its loop; it is not a tool of the agent. */
const ending = "finish";
const heading = /\[\[ ## (\w+) ## \]\](?:\n|$)/;
const failed = /^Execution error in \S+:\s/;

/** Whether a text has a step of DSPy's ReAct loop: a tool that the model names, or an observation in the next prompt. */
export function hasDspyStep(text: string): boolean {
  return text.includes("[[ ## next_tool_name ## ]]\n") || text.includes("[[ ## observation_0 ## ]]\n");
}

/**
 * The tool calls and results in a message that DSPy wrote as fields under headings. In an answer, the fields name the next tool. A prompt
 * has the fields of all earlier steps.
 */
export function dspySteps(message: ReadMessage): ReadMessage[] {
  const { role, text } = message;
  if (text === null || !hasDspyStep(text)) return [message];
  const fields = fieldsOf(text);
  if (role === "assistant") {
    const name = fields.get("next_tool_name");
    if (name === undefined || name === ending) return [message];
    message.calls = [{ id: null, name, arguments: fields.get("next_tool_args") ?? "{}" }];
    [message.printed, message.text] = [text, null];
    return [message];
  }
  return [message, ...stepsIn(fields)];
}

function stepsIn(fields: ReadonlyMap<string, string>): ReadMessage[] {
  const steps: ReadMessage[] = [];
  for (let at = 0; ; at++) {
    const name = fields.get(`tool_name_${at}`);
    if (name === undefined) return steps;
    if (name === ending) continue;
    const request = new ReadMessage("assistant");
    request.addCall({ id: null, name, arguments: fields.get(`tool_args_${at}`) ?? "{}" });
    request.printed = name;
    const result = new ReadMessage("tool");
    const content = fields.get(`observation_${at}`);
    const isError = content !== undefined && failed.test(content);
    result.addResult({ callId: null, name, content, isError });
    result.printed = content ?? null;
    steps.push(request, result);
  }
}

function fieldsOf(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const parts = text.split(heading);
  for (let at = 1; at + 1 < parts.length; at += 2) {
    // The prompt ends with an instruction that names the fields of the answer.
    const value = (parts[at + 1] ?? "").replace(
      /(?:^\n?|\n\n)Respond with the corresponding output fields, [^]*$/,
      "",
    );
    fields.set(parts[at] ?? "", value.trim());
  }
  return fields;
}
