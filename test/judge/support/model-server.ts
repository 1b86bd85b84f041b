import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { JsonValue } from "../../../src/model/json.ts";

/** A request as a model server received it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks wherever it wants
  readonly body: any;
}

export interface Sent {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, anything else as JSON; undefined: never answers. */
  readonly body?: unknown;
  /** Sends the body and never ends it. */
  readonly unfinished?: true;
}

export interface ModelServer {
  readonly url: string;
  readonly received: readonly Received[];
}

/** A server on a free port that answers with `answer`, closed when the test ends. */
export async function modelServer(
  answer: (request: Received, n: number) => Sent | "hang",
): Promise<ModelServer> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      const one = { path: request.url ?? "", headers: request.headers, body: JSON.parse(text) as unknown };
      received.push(one);
      const sent = answer(one, received.length - 1);
      if (sent !== "hang") send(response, sent);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

function send(response: ServerResponse, { status = 200, headers = {}, body = "", unfinished }: Sent): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  const text = typeof body === "string" ? body : JSON.stringify(body);
  if (unfinished === true) response.write(text);
  else response.end(text);
}

/** A chat completion in OpenAI's wire format. */
export function completion(content: JsonValue | undefined, more: object = {}): Sent {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return {
    body: {
      id: "chatcmpl-1",
      object: "chat.completion",
      model: "judge-1",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: text, refusal: null },
          finish_reason: "stop",
          ...more,
        },
      ],
      usage: {
        prompt_tokens: 120,
        completion_tokens: 30,
        total_tokens: 150,
        prompt_tokens_details: { cached_tokens: 100 },
      },
    },
  };
}

/** A message in Anthropic's wire format. */
export function message(content: JsonValue | undefined, more: object = {}): Sent {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return {
    headers: { "request-id": "req_1" },
    body: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude-judge",
      content: [{ type: "text", text }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: {
        input_tokens: 10,
        output_tokens: 30,
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 7,
      },
      ...more,
    },
  };
}

export function anthropicError(type: string, text = "no"): object {
  return { type: "error", error: { type, message: text }, request_id: "req_1" };
}

export function openaiError(code: string, text = "no"): object {
  return { error: { message: text, type: "invalid_request_error", param: null, code } };
}
