// A server with the API of OpenAI that answers by a script, so that the example needs no key and costs nothing.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

interface Message {
  role: string;
  content: string | null | { text: string }[];
  tool_calls?: object[];
}

interface Request {
  model: string;
  messages: Message[];
}

/** Returns the text of a message, which may be a list of parts. */
function textOf(message: Message | undefined): string {
  const content = message?.content ?? "";
  return typeof content === "string" ? content : content.map(({ text }) => text).join("");
}

/** Returns the next message of the model. */
function completion(messages: Message[]): Message {
  const last = messages.at(-1);
  const text = textOf(last);
  if (last?.role === "tool") return { role: "assistant", content: `I looked it up: ${text}` };
  if (text.includes("Which order")) {
    const earlier = messages.slice(0, -1).map(textOf);
    const named = /order (\d{4})/.exec(earlier.join("\n"))?.[1];
    return {
      role: "assistant",
      content: named === undefined ? "You named no order." : `You asked about order ${named}.`,
    };
  }
  if (text.includes("far")) return { role: "assistant", content: `${text.split(" ")[1]} is two days away.` };
  const order = /\d{4}/.exec(text);
  if (order === null) return { role: "assistant", content: "You can return everything within 30 days." };
  // SCRIPTED_MODEL=careless npm test shows a failed test.
  const name = process.env["SCRIPTED_MODEL"] === "careless" ? "refund_order" : "find_order";
  const call = { name, arguments: JSON.stringify({ number: order[0] }) };
  return {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "call_1", type: "function", function: call }],
  };
}

/** Starts the server on a free port, which does not keep the process alive. Returns its base URL. */
export async function startScriptedModel(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { model, messages } = (await json(request)) as Request;
    const message = completion(messages);
    response.setHeader("content-type", "application/json").end(
      JSON.stringify({
        id: "chatcmpl-1",
        object: "chat.completion",
        created: 0,
        model,
        choices: [{ index: 0, message, finish_reason: message.tool_calls ? "tool_calls" : "stop" }],
        usage: { prompt_tokens: 120, completion_tokens: 18, total_tokens: 138 },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}
