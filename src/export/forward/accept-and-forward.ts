import type { Accept, Acceptance } from "../../receive/ports.ts";
import type { Forwarder } from "./forwarder.ts";

/**
 * Returns an `accept` that also forwards each accepted request. Backends get the whole request, so the
 * response reports no span as rejected, even if a span cannot be judged.
 */
export function acceptAndForward(forwarder: Forwarder, accept: Accept, onLoop: () => void): Accept {
  return async (body, request) => {
    if (forwarder.isLoop(request)) {
      onLoop();
      return {
        kind: "accepted",
        rejected: 0,
        message: "this request came back from a backend; it was accepted before",
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
  return { kind: "accepted", rejected: 0, message: `sent on, but ${rejected} not evaluated: ${message}` };
}
