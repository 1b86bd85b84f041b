import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { messageOf } from "../../support/structures/error-message.ts";
import { isAllowedHost } from "../../support/security/addresses/host-check.ts";
import { clientNotation } from "../protocols/client-notation.ts";
import type { ModelFailure } from "../protocols/protocol.ts";
import { answerCall } from "./answer-call.ts";
import { freshValues } from "./fresh-values.ts";
import { LargeBodies } from "./large-bodies.ts";
import { BodyReader } from "./request-body.ts";
import { parseCallPath } from "./call-path.ts";
import type { Responder } from "./responder.ts";
import { openSecondLoopback } from "./second-loopback.ts";
import { ResponseStore } from "./response-store.ts";
import { abortWhenGone, sendFailure, sendRefusal } from "./send-answer.ts";

export interface ModelServerOptions {
  readonly responder: Responder;
  /** Port. Default: 0, a free port. */
  readonly port?: number;
  /** Maximum size of a request body in bytes. */
  readonly largestBodyBytes?: number;
  /** Returns the names in the list of models. */
  readonly models?: () => readonly string[];
  /** Reports an exception of a responder; the client gets a server error. */
  readonly onError?: (error: unknown) => void;
}

export interface ModelServer {
  readonly port: number;
  /** Returns `http://127.0.0.1:PORT`; with `callId`, a path is added that identifies this agent call. */
  baseUrl(callId?: string): string;
  /**
   * Stops the server. Resolves when all running requests are answered. Requests that still run after `graceMs` milliseconds are aborted.
   */
  close(graceMs?: number): Promise<void>;
}

const LARGEST_BODY_BYTES = 32 * 2 ** 20;
/** Memory limit of all concurrent requests, as a multiple of the maximum size of one request. */
const BODIES_AT_ONCE = 3;
const USUAL_GRACE_MS = 2_000;
/**
 * Milliseconds after which an idle connection is closed. Node's default of five seconds is too short: while a tool of the agent runs, the
 * connection is idle, and could be closed at the moment when the agent sends its next model call.
 */
const IDLE_MS = 65_000;

/**
 * Starts a server that only this machine can reach. The server answers each model request in the API format of the request, and accepts any
 * API key.
 * @throws Error if the port is not available
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const largestBytes = options.largestBodyBytes ?? LARGEST_BODY_BYTES;
  const bodies = new BodyReader({ largestBytes, budgetBytes: largestBytes * BODIES_AT_ONCE });
  const responses = new ResponseStore();
  const large = new LargeBodies();
  const shared = { ...options, bodies, large, responses, largestBytes, fresh: freshValues };
  const server = createServer({ keepAliveTimeout: IDLE_MS }, (request, response) => {
    const call = parseCallPath(request.url ?? "/");
    const notation = clientNotation(call.path, request.headers);
    const problem = refusal(request);
    if (problem !== null) {
      void sendRefusal(request, response, notation, problem);
      return;
    }
    const signal = abortWhenGone(response);
    answerCall({ request, response, call, signal }, shared).catch((error: unknown) => {
      options.onError?.(error);
      const failure = { status: 500, kind: "server", message: messageOf(error), retryAfterS: null } as const;
      if (response.headersSent) response.destroy();
      else sendFailure(response, notation, failure);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const second = await openSecondLoopback(server, port);
  return {
    port,
    baseUrl: (callId) => `http://127.0.0.1:${port}${callId === undefined ? "" : `/r/${callId}`}`,
    close: async (graceMs = USUAL_GRACE_MS) => {
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMs);
      const closed = [server, second].map((one) => new Promise((done) => one?.close(done) ?? done(null)));
      server.closeIdleConnections();
      await Promise.all(closed);
      clearTimeout(cutOff);
    },
  };
}

/** Returns the refusal of a request that was sent by a web page, as its `Host` or `Origin` header shows; null for other requests. */
function refusal(request: IncomingMessage): ModelFailure | null {
  const { host } = request.headers;
  // A request without a host name is allowed: only HTTP/1.0 clients omit it, and browsers do not use HTTP/1.0.
  if (host !== undefined && !isAllowedHost(host, [])) {
    const message = "call this server by its address, 127.0.0.1: other host names are refused";
    return { status: 421, kind: "invalid_request", message, retryAfterS: null };
  }
  if (request.headers.origin !== undefined) {
    const message = "web pages may not call this server";
    return { status: 403, kind: "authentication", message, retryAfterS: null };
  }
  return null;
}
