import { setTimeout } from "node:timers/promises";
import type { ModelFailure, ReceivedModelRequest } from "../protocols/protocol.ts";
import { protocols } from "../protocols/protocols.ts";
import type { CallContext, Responded, Responder } from "../server/responder.ts";
import { operationOf, type RecordedCall } from "./call-span.ts";
import { type CallOrigin, traceParentOf } from "./trace-parent.ts";

interface Answered extends Pick<RecordedCall, "startUnixMs" | "endUnixMs" | "server"> {
  /** Whether the client closed its connection before it had received the complete answer. */
  readonly isLost: boolean;
}

/** Returns the record of a call that this server answered itself, instead of the provider. */
export function answeredCall(
  { protocol, request, isStreamed, previousResponseId }: ReceivedModelRequest,
  responded: Responded | ModelFailure,
  { isLost, ...answered }: Answered,
): RecordedCall {
  const error = errorOf(responded) ?? (isLost ? cancelled : null);
  return {
    operation: operationOf(protocol),
    provider: protocols.find(({ name }) => name === protocol)?.provider ?? protocol,
    request,
    isStreamed,
    previousResponseId,
    answer: error === null && "answer" in responded ? responded.answer : null,
    error,
    firstChunkMs: null,
    ...answered,
  };
}

/** Milliseconds to wait for a client that slowly reads its last answer. */
const GRACE_MS = 2_000;

const cancelled = { type: "cancelled", message: "the client closed the connection" };

function errorOf(responded: Responded | ModelFailure): RecordedCall["error"] {
  if ("status" in responded) return { type: String(responded.status), message: responded.message };
  if (responded.disturbance?.hang === true) return { type: "timeout", message: "no answer arrived" };
  return responded.disturbance?.cut === undefined
    ? null
    : {
        type: "broken",
        message: "an injected fault closed the connection before the answer was complete",
      };
}

interface OpenCall {
  readonly callId: string | null;
  noted: Promise<unknown>;
}

/** Passes each call that a responder answered to `onCall`, when the client has received the answer or has disconnected. */
export class NotingResponder implements Responder {
  readonly #inner: Responder;
  readonly #onCall: (call: RecordedCall, origin: CallOrigin) => Promise<unknown>;
  /** Calls for which `onCall` has not finished yet or has thrown. */
  readonly #open = new Set<OpenCall>();

  constructor(inner: Responder, onCall: (call: RecordedCall, origin: CallOrigin) => Promise<unknown>) {
    this.#inner = inner;
    this.#onCall = onCall;
  }

  async respond(received: ReceivedModelRequest, context: CallContext): Promise<Responded | ModelFailure> {
    const startUnixMs = Date.now();
    const start = performance.now();
    const responded = await this.#inner.respond(received, context);
    const call: OpenCall = { callId: context.callId, noted: Promise.resolve() };
    this.#open.add(call);
    call.noted = this.#note(received, responded, context, { startUnixMs, start }).then(() =>
      this.#open.delete(call),
    );
    // The error of `#note` is reported by `settled`.
    call.noted.catch(() => undefined);
    return responded;
  }

  async #note(
    received: ReceivedModelRequest,
    responded: Responded | ModelFailure,
    context: CallContext,
    { startUnixMs, start }: { readonly startUnixMs: number; readonly start: number },
  ): Promise<void> {
    const lastSentMs = await context.ended;
    const isLost = context.signal.aborted;
    const endMs = (isLost ? null : lastSentMs) ?? performance.now();
    const endUnixMs = startUnixMs + endMs - start;
    const times = { startUnixMs, endUnixMs, isLost };
    const server = { address: "127.0.0.1", port: null };
    await this.#onCall(answeredCall(received, responded, { ...times, server }), originOf(context));
  }

  /**
   * Resolves when `onCall` has finished for all answered calls with this id. Waits at most `graceMs` for a client that still reads an
   * answer.
   * @throws the exception of `onCall`
   */
  async settled(callId: string, graceMs = GRACE_MS): Promise<void> {
    const open = [...this.#open].flatMap((call) => (call.callId === callId ? [call.noted] : []));
    if (open.length === 0) return;
    const ending = new AbortController();
    const { signal } = ending;
    const late = setTimeout(graceMs, undefined, { signal }).catch(() => undefined);
    await Promise.race([Promise.all(open), late]);
    ending.abort();
  }
}

function originOf({ callId, headers }: CallContext): CallOrigin {
  return { callId, parent: traceParentOf(headers["traceparent"]) };
}
