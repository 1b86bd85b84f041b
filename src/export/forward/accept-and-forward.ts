import type { Accept, Acceptance } from "../../receive/ports.ts";
import type { Forwarder } from "./forwarder.ts";

/**
 * Wraps `accept`, so that each accepted request is also forwarded to the backends. A request in a forwarding loop is answered as accepted,
 * but is neither judged nor forwarded again. Forwarded requests contain all spans, so the response reports no span as rejected, not even a
 * span that Tracejury cannot judge.
 */
export function acceptAndForward(forwarder: Forwarder, accept: Accept, onLoop: () => void): Accept {
  return async (body, request) => {
    if (forwarder.isLoop(request)) {
      onLoop();
      return {
        kind: "accepted",
        rejected: 0,
        message:
          "this process has already received and forwarded the request: a backend in `forward` sends telemetry back to Tracejury",
      };
    }
    const full = forwarder.refusal();
    if (full !== null) return full;
    const acceptance = await accept(body, request);
    if (acceptance.kind !== "accepted") return acceptance;
    return (await forwarder.forward(body, request)) ?? unwithheld(acceptance);
  };
}

function unwithheld(acceptance: Acceptance & { kind: "accepted" }): Acceptance {
  const { rejected, message } = acceptance;
  if (rejected === 0) return acceptance;
  return {
    kind: "accepted",
    rejected: 0,
    message: `the request was forwarded, but ${rejected} of its spans or log records cannot be evaluated: ${message}`,
  };
}
