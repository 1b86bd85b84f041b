import { Agent as HttpAgent, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { setImmediate } from "node:timers/promises";
import { type Mount, pathOf } from "../base-urls.ts";
import type { ModelFailure, Protocol } from "../protocols/protocol.ts";
import { servesEmbeddings } from "../protocols/embeddings.ts";
import { clientNotation } from "../protocols/client-notation.ts";
import { protocols } from "../protocols/protocols.ts";
import { collectAfter } from "../server/large-bodies.ts";
import { lastSentOf } from "../server/last-sent.ts";
import { BodyReader } from "../server/request-body.ts";
import type { Responder } from "../server/responder.ts";
import { sendFailure, sendRefusal } from "../server/send-answer.ts";
import { answerBetween } from "./between-call.ts";
import type { RecordedCall } from "./call-span.ts";
import { Capture, CaptureBudget } from "./capture.ts";
import { type Interruption, passOn, type PassOnOptions, readProvider } from "./pass-on.ts";
import type { CopiedCall } from "./read-call.ts";
import { CallReader } from "./call-reader.ts";
import { plainRouteOf, type Route, routeOf } from "./route.ts";
import { type CallOrigin, traceParentOf } from "./trace-parent.ts";

/** Outcome of a request. Each request has exactly one outcome. */
export type CallOutcome =
  /** A model call that `onCall` recorded. */
  | "recorded"
  /** A model call that was not recorded: `onCall` refused it, or an error occurred before. */
  | "dropped"
  /** A request that was not recorded, because it is not a model call, or (only with `between`) its body was refused. */
  | "passed_on"
  /** A request that was not forwarded, because its path names no provider. */
  | "refused";

export interface ModelRecorderOptions {
  readonly mounts: () => ReadonlyMap<string, Mount>;
  /** Records a model call that has ended. Returns true if the call was recorded. */
  readonly onCall: (call: RecordedCall, origin: CallOrigin) => boolean | Promise<boolean>;
  /** Receives the headers of each request before it is forwarded. */
  readonly onHead?: (rawHeaders: readonly string[], target: URL) => void;
  readonly onRequest?: (outcome: CallOutcome) => void;
  /** Wraps the provider, for example to inject faults. The wrapper calls the provider, or answers itself. */
  readonly between?: ((provider: Responder) => Responder) | undefined;
  /**
   * Returns the id of the agent's current call, for requests whose path contains no call id; null if no call is running. Needed for an
   * agent with one address for all its calls. If the function is given, request paths without a provider are accepted, too.
   */
  readonly sharedCall?: (() => string | null) | undefined;
  /** Maximum milliseconds without data from a provider. Default: ten minutes, the time-out of the providers' SDKs. */
  readonly silenceMs?: number;
  /**
   * Maximum bytes of all copies of bodies in memory (`all`), and of one copy (`one`). When `all` is reached, further bodies are copied to
   * temporary files, up to `files` bytes in total. Without `files`, there are no temporary files. A body of more than `one` bytes is not
   * copied.
   */
  readonly memory?: { readonly all: number; readonly one: number; readonly files?: number };
  /** Decodes the calls. The recorder closes this reader when it is closed itself. */
  readonly reader?: CallReader;
}

const SILENCE_MS = 600_000;
/**
 * Milliseconds after which an idle connection to a provider is closed. Many servers close idle connections after five seconds, and a
 * request that is sent at this moment fails.
 */
const IDLE_MS = 4_000;
/** Maximum milliseconds for decoding the remaining calls of an agent that has ended. */
const READING_MS = 30_000;
const MEMORY = { all: 64 << 20, one: 32 << 20, files: 2 ** 30 };

/** A call that is in progress, or is not decoded yet. */
interface OpenCall {
  readonly id: string | null;
  readonly response: ServerResponse;
  /** True if no time is left to decode the call. */
  isLate: boolean;
}

/** Responder that forwards each request to its provider. */
const provider: Responder = {
  respond: (_, { askProvider }) =>
    askProvider?.("pass_on") ?? Promise.reject(new Error("the path of the request names no provider")),
};

/** Forwards requests to their providers, and records the model calls among them. */
export class ModelRecorder {
  readonly #options: ModelRecorderOptions;
  readonly #memory: CaptureBudget;
  readonly #files: CaptureBudget;
  readonly #reader: CallReader;
  /** Size in bytes of the bodies that are being decoded. */
  #readBytes = 0;
  readonly #most: number;
  readonly #agents = {
    "http:": new HttpAgent({ keepAlive: true, timeout: IDLE_MS }),
    "https:": new HttpsAgent({ keepAlive: true, timeout: IDLE_MS }),
  };
  readonly #bodies: BodyReader;
  readonly #between: Responder | null;
  /** Resolves when the last copied call was decoded. */
  #reading: Promise<unknown> = Promise.resolve();
  readonly #open = new Map<Promise<void>, OpenCall>();

  constructor(options: ModelRecorderOptions) {
    const { all, one, files = 0 } = options.memory ?? MEMORY;
    this.#options = options;
    this.#memory = new CaptureBudget(all);
    this.#files = new CaptureBudget(files);
    this.#reader = options.reader ?? new CallReader();
    this.#most = one;
    this.#bodies = new BodyReader({ largestBytes: one, budgetBytes: all });
    this.#between = options.between?.(provider) ?? null;
  }

  /** Memory of the bodies of calls that run or are being decoded, in bytes. */
  get copiedBytes(): number {
    return this.#memory.takenBytes + this.#readBytes;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const route = this.#routeOf(request);
    const open: OpenCall = { id: route?.callId ?? null, response, isLate: false };
    const work = this.#handle(request, open, route)
      .catch(() => {
        this.#options.onRequest?.("dropped");
        response.destroy();
      })
      .finally(() => this.#open.delete(work));
    this.#open.set(work, open);
  }

  #routeOf({ method = "GET", url = "" }: IncomingMessage): Route | null {
    const { sharedCall } = this.#options;
    const mounts = this.#options.mounts();
    const route = routeOf(url, mounts);
    if (sharedCall === undefined || (route !== null && route.callId !== null)) return route;
    const shared = route ?? plainRouteOf(method, url, mounts);
    return shared === null ? null : { ...shared, callId: sharedCall() };
  }

  /**
   * Resolves when the model calls with this `callId` have ended, and `onCall` has finished for each of them. Without a `callId`, waits for
   * all calls.
   * @param graceMs milliseconds after which calls in progress are aborted; if absent, they are never aborted
   * @param readingMs further milliseconds for decoding; calls that are not decoded in this time get no messages
   */
  async settled(callId?: string, graceMs?: number, readingMs = READING_MS): Promise<void> {
    const open = [...this.#open].filter(([, { id }]) => callId === undefined || id === callId);
    const cut = (): void => {
      for (const [, { response }] of open) response.destroy();
    };
    const hurry = (): void => {
      for (const [, call] of open) call.isLate = true;
    };
    const timers =
      graceMs === undefined ? [] : [setTimeout(cut, graceMs), setTimeout(hurry, graceMs + readingMs)];
    await Promise.all(open.map(([work]) => work));
    for (const timer of timers) clearTimeout(timer);
  }

  close(): void {
    this.#reader.close();
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #handle(request: IncomingMessage, open: OpenCall, route: Route | null): Promise<void> {
    const { onHead, onRequest } = this.#options;
    const { response } = open;
    if (route === null) {
      onRequest?.("refused");
      return refuse(request, response, this.#options.mounts());
    }
    onHead?.(request.rawHeaders, route.target);
    const protocol = protocolOf(request.method ?? "GET", route.path);
    if (protocol === null) {
      onRequest?.("passed_on");
      const options = { ...this.#sending(route), requestBody: null, responseBody: null };
      const passed = await passOn(request, response, options);
      if (passed.status === null) fail(request, response, passed.interruption, route.target);
      return;
    }
    await this.#record(request, open, route, protocol);
  }

  async #record(
    request: IncomingMessage,
    open: OpenCall,
    route: Route,
    protocol: RecordedProtocol,
  ): Promise<void> {
    const { headers } = request;
    const parent = traceParentOf(headers["traceparent"]);
    const call = await this.#call(request, open, route, protocol);
    const outcome =
      call === null
        ? "passed_on"
        : (await this.#options.onCall(call, { callId: route.callId, parent }))
          ? "recorded"
          : "dropped";
    this.#options.onRequest?.(outcome);
  }

  /** Returns the call of a request; null if it is not a model call. */
  async #call(
    request: IncomingMessage,
    open: OpenCall,
    route: Route,
    protocol: RecordedProtocol,
  ): Promise<RecordedCall | null> {
    const between = this.#between;
    const { response } = open;
    const isLate = (): boolean => open.isLate;
    if (between === null || protocol === "embeddings") {
      const { call, isCall } = await this.#ask(request, route, protocol, { response, isLate });
      return isCall ? call : null;
    }
    return answerBetween(request, response, {
      protocol,
      route,
      between,
      bodies: this.#bodies,
      largestBytes: this.#most,
      askProvider: async (body, how, signal) => {
        const asking =
          how === "pass_on" ? { response, body, isLate } : { response: null, body, signal, isLate };
        return (await this.#ask(request, route, protocol, asking)).call;
      },
    });
  }

  /** Calls the provider. If `asking.response` is not null, forwards the answer to it. */
  async #ask(
    request: IncomingMessage,
    route: Route,
    protocol: RecordedProtocol,
    asking: Asking,
  ): Promise<{ readonly call: RecordedCall; readonly isCall: boolean }> {
    const startUnixMs = Date.now();
    const start = performance.now();
    const budgets = { memory: this.#memory, files: this.#files };
    const requestBody = new Capture(budgets, this.#most);
    const responseBody = new Capture(budgets, this.#most);
    const { response, body, isLate } = asking;
    const lastSent = response === null ? null : lastSentOf(response);
    if (body !== undefined) requestBody.add(body);
    try {
      const passed =
        asking.response === null
          ? await readProvider(request, responseBody, { ...this.#sending(route), ...asking })
          : await passOn(request, asking.response, {
              ...this.#sending(route),
              requestBody,
              responseBody,
              body,
            });
      const sentMs = passed.interruption === null ? lastSent?.() : null;
      const durationMs = (sentMs ?? performance.now()) - start;
      if (passed.status === null && response !== null)
        fail(request, response, passed.interruption, route.target);
      const requestEncoding = request.headers["content-encoding"] ?? "";
      const call = await this.#readInTurn(() => ({
        protocol: protocol === "embeddings" ? protocol : protocol.name,
        path: route.path,
        target: route.target.href,
        requestEncoding,
        requestBody: requestBody.take(isLate()),
        responseBody: responseBody.take(isLate()),
        passed,
        startUnixMs,
        durationMs,
      }));
      // A path that ends like that of a model call can belong to another API. So a call counts as a model call only if its request or
      // answer could be decoded, or was omitted.
      return { call, isCall: call.request !== null || call.answer !== null || call.omitted !== undefined };
    } finally {
      requestBody.release();
      responseBody.release();
    }
  }

  /** Decodes one call at a time, because a decompressed and parsed body needs much more memory than a forwarded body. */
  async #readInTurn(copiedCall: () => CopiedCall): Promise<RecordedCall> {
    // `setImmediate` lets other work of the event loop run between two calls, even if many calls wait to be decoded.
    const reading = this.#reading.then(() => setImmediate()).then(() => this.#read(copiedCall()));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  async #read(copied: CopiedCall): Promise<RecordedCall> {
    const bodies = [copied.requestBody, copied.responseBody].filter((body) => typeof body !== "string");
    this.#readBytes = bodies.reduce((sum, { length }) => sum + length, 0);
    try {
      return await this.#reader.read(copied, this.#most);
    } finally {
      const bytes = this.#readBytes;
      this.#readBytes = 0;
      collectAfter(bytes);
    }
  }

  #sending({ target }: Route): Pick<PassOnOptions, "target" | "agent" | "silenceMs"> {
    return {
      target,
      agent: this.#agents[target.protocol === "https:" ? "https:" : "http:"],
      silenceMs: this.#options.silenceMs ?? SILENCE_MS,
    };
  }
}

/**
 * Destination of the provider's answer, and the request's body if it was already read. With `response: null`, the answer is read and not
 * sent to the client.
 */
type Asking = { readonly isLate: () => boolean } & (
  | { readonly response: ServerResponse; readonly body?: Buffer }
  | { readonly response: null; readonly body: Buffer; readonly signal: AbortSignal }
);

type RecordedProtocol = Protocol | "embeddings";

/** Returns the protocol of a path; null if it is not the path of a model call. */
function protocolOf(method: string, path: string): RecordedProtocol | null {
  if (servesEmbeddings(method, path)) return "embeddings";
  return protocols.find((one) => one.serves(method, path)) ?? null;
}

/** Returns the API format for errors: the format of the path, otherwise the format of the client. */
function notationOf({ method = "GET", headers }: IncomingMessage, path: string): Protocol {
  return protocols.find(({ serves }) => serves(method, path)) ?? clientNotation(path, headers);
}

async function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  mounts: ReadonlyMap<string, Mount>,
): Promise<void> {
  const [path = ""] = (request.url ?? "").split("?");
  const notation = notationOf(request, path);
  const known = [...mounts.values()]
    .map(({ name, base }) => `/${name}${pathOf(base)} (${base.host})`)
    .join(", ");
  const advice = known === "" ? "no provider is configured" : `the path of a base URL begins with ${known}`;
  const message = `the path of the request does not begin with the base URL of a configured provider: ${advice}`;
  const failure = { status: 404, kind: "not_found", message, retryAfterS: null } as const;
  await sendRefusal(request, response, notation, failure);
}

/** Sends an error to the client for a call that the provider did not answer. */
function fail(
  request: IncomingMessage,
  response: ServerResponse,
  interruption: Interruption | null,
  { host, pathname }: URL,
): void {
  if (response.destroyed || response.headersSent) return;
  const isLate = interruption?.kind === "timeout";
  const failure: ModelFailure = {
    status: isLate ? 504 : 502,
    kind: isLate ? "timeout" : "server",
    message: `${host} could not be reached: ${interruption?.message ?? "no response"}`,
    retryAfterS: null,
  };
  sendFailure(response, notationOf(request, pathname), failure);
}
