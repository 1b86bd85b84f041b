import type { Agent, IncomingMessage, ServerResponse } from "node:http";
import { Transform } from "node:stream";
import { RedirectError, sendRequest } from "../../support/http/send-request.ts";
import { messageOf } from "../../support/structures/error-message.ts";
import { drained } from "../server/drained.ts";
import type { Capture } from "./capture.ts";
import { wordList } from "../../support/structures/word-list.ts";

/** Headers that apply only to one connection, and must not be forwarded. */
const hopByHop: ReadonlySet<string> = new Set(
  wordList(`
    connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer
    transfer-encoding upgrade
  `),
);

/** Why a call did not end normally. */
export type Interruption =
  /** There is no response to forward: the provider could not be reached, sent a redirect, or timed out. */
  | { readonly kind: "unreachable" | "redirect" | "timeout"; readonly message: string }
  /** The response ended too early. */
  | { readonly kind: "broken"; readonly message: string }
  /** The client disconnected. */
  | { readonly kind: "cancelled"; readonly message: string };

export interface PassedOn {
  /** HTTP status of the provider; null if there was no response. */
  readonly status: number | null;
  readonly contentType: string;
  readonly contentEncoding: string;
  /** Milliseconds from the request to the first byte of the response's body; null if no byte of it arrived. */
  readonly firstByteMs: number | null;
  /** Why the call did not end normally; null if the complete response was forwarded. */
  readonly interruption: Interruption | null;
}

export interface PassOnOptions {
  readonly target: URL;
  readonly agent: Agent;
  /** Receives a copy of the request's body; null to copy nothing. */
  readonly requestBody: Capture | null;
  readonly responseBody: Capture | null;
  /** Body of the request, if it was already read. */
  readonly body?: Buffer | undefined;
  /** Maximum milliseconds without data from the provider. */
  readonly silenceMs: number;
}

/**
 * Streams a request to its provider, and the response to the client. If the provider does not respond, nothing is written to `response`. If
 * the response ends too early, the connection to the client is closed, too.
 */
export async function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  options: PassOnOptions,
): Promise<PassedOn> {
  const start = performance.now();
  const ending = new AbortController();
  let reason: Interruption["kind"] | null = null;
  const end = (kind: Interruption["kind"]): void => {
    reason ??= kind;
    ending.abort();
  };
  const onClose = (): void => {
    if (!response.writableFinished) end("cancelled");
  };
  response.once("close", onClose);
  const timer = setTimeout(end, options.silenceMs, "timeout");
  const onData = (): void => {
    timer.refresh();
  };
  try {
    const answer = await sendRequest(options.target, {
      method: request.method ?? "GET",
      headers: passedHeaders(request.rawHeaders),
      agent: options.agent,
      body: options.body ?? request.pipe(copying(options.requestBody, onData)),
      signal: ending.signal,
    });
    onData();
    const head = headOf(answer);
    response.writeHead(answer.statusCode ?? 0, answer.statusMessage, passedHeaders(answer.rawHeaders));
    response.flushHeaders();
    let firstByteMs: number | null = null;
    try {
      for await (const chunk of answer as AsyncIterable<Uint8Array>) {
        firstByteMs ??= performance.now() - start;
        options.responseBody?.add(chunk);
        onData();
        if (!response.write(chunk)) await drained(response, ending.signal);
      }
      if (!answer.complete) throw new Error("the response ended too early");
      response.end();
      return { ...head, firstByteMs, interruption: null };
    } catch (error) {
      response.destroy();
      const kind = reason ?? "broken";
      return {
        ...head,
        firstByteMs,
        interruption: { kind, message: wordsOf(kind, error, options.silenceMs) },
      };
    }
  } catch (error) {
    const kind = reason ?? (isRedirect(error) ? "redirect" : "unreachable");
    return {
      ...noHead,
      firstByteMs: null,
      interruption: { kind, message: wordsOf(kind, error, options.silenceMs) },
    };
  } finally {
    clearTimeout(timer);
    response.removeListener("close", onClose);
  }
}

interface ReadOptions extends Pick<PassOnOptions, "target" | "agent" | "silenceMs"> {
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

/** Forwards a request to its provider, and reads the response without sending it to a client. */
export async function readProvider(
  request: IncomingMessage,
  responseBody: Capture,
  options: ReadOptions,
): Promise<PassedOn> {
  const { target, agent, silenceMs: timeoutMs, body, signal } = options;
  const { method = "GET", rawHeaders } = request;
  const headers = passedHeaders(rawHeaders);
  try {
    const answer = await sendRequest(target, { method, headers, agent, body, signal, timeoutMs });
    for await (const chunk of answer as AsyncIterable<Uint8Array>) {
      responseBody.add(chunk);
      if (responseBody.givenUp !== null) throw new Error("the answer is too large to be read");
    }
    return { ...headOf(answer), firstByteMs: null, interruption: null };
  } catch (error) {
    const kind = isRedirect(error) ? "redirect" : "unreachable";
    return { ...noHead, firstByteMs: null, interruption: { kind, message: messageOf(error) } };
  }
}

const noHead = { status: null, contentType: "", contentEncoding: "" };

function headOf({ statusCode, headers }: IncomingMessage): Omit<PassedOn, "firstByteMs" | "interruption"> {
  return {
    status: statusCode ?? 0,
    contentType: headers["content-type"] ?? "",
    contentEncoding: headers["content-encoding"] ?? "",
  };
}

/** Returns a stream that forwards a body unchanged, and copies it to `to`. */
function copying(to: Capture | null, onData: () => void): Transform {
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      to?.add(chunk);
      onData();
      done(null, chunk);
    },
  });
}

function isRedirect(error: unknown): boolean {
  return error instanceof RedirectError;
}

function wordsOf(kind: Interruption["kind"], error: unknown, silenceMs: number): string {
  if (kind === "cancelled") return "the client closed the connection";
  if (kind === "timeout") return `the provider sent no data for ${silenceMs / 1000} seconds`;
  return messageOf(error);
}

/** Returns the headers to forward: all except headers of the connection, `Host` and `Expect`. */
function passedHeaders(rawHeaders: readonly string[]): Record<string, string[]> {
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2)
    pairs.push([(rawHeaders[at] ?? "").toLowerCase(), rawHeaders[at + 1] ?? ""]);
  const named = new Set(
    pairs.filter(([name]) => name === "connection").flatMap(([, value]) => value.split(",").map(trimmed)),
  );
  const passed: Record<string, string[]> = {};
  for (const [name, value] of pairs)
    if (name !== "host" && name !== "expect" && !hopByHop.has(name) && !named.has(name))
      (passed[name] ??= []).push(value);
  return passed;
}

function trimmed(name: string): string {
  return name.trim().toLowerCase();
}
