import type { ModelFailure, ReceivedModelRequest } from "../protocols/protocol.ts";
import { protocols } from "../protocols/protocols.ts";
import type { CallContext, Responded, Responder } from "../server/responder.ts";
import { operationOf, type RecordedCall } from "./call-span.ts";
import { type CallOrigin, traceParentOf } from "./trace-parent.ts";

type Answered = Pick<RecordedCall, "startUnixMs" | "endUnixMs" | "server">;

/** Returns the record of a call that this server answered instead of the provider. */
export function answeredCall(
  { protocol, request, isStreamed, previousResponseId }: ReceivedModelRequest,
  responded: Responded | ModelFailure,
  answered: Answered,
): RecordedCall {
  const error = errorOf(responded);
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

function errorOf(responded: Responded | ModelFailure): RecordedCall["error"] {
  if ("status" in responded) return { type: String(responded.status), message: responded.message };
  if (responded.disturbance?.hang === true) return { type: "timeout", message: "no answer came" };
  return responded.disturbance?.cut === undefined
    ? null
    : { type: "broken", message: "the connection was cut" };
}

/** Calls `onCall` with each call that the responder answers. */
export function noting(
  inner: Responder,
  onCall: (call: RecordedCall, origin: CallOrigin) => void,
): Responder {
  return {
    respond: async (received, context) => {
      const startUnixMs = Date.now();
      const responded = await inner.respond(received, context);
      const server = { address: "127.0.0.1", port: null };
      const times = { startUnixMs, endUnixMs: Date.now(), server };
      onCall(answeredCall(received, responded, times), originOf(context));
      return responded;
    },
  };
}

function originOf({ callId, headers }: CallContext): CallOrigin {
  return { callId, parent: traceParentOf(headers["traceparent"]) };
}
