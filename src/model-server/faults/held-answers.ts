import { canonicalJson } from "../../support/structures/canonical-json.ts";
import type { ReceivedModelRequest } from "../protocols/protocol.ts";
import type { Responded } from "../server/responder.ts";

interface Held {
  readonly received: ReceivedModelRequest;
  /** Each message as one text. */
  readonly messages: readonly string[];
  readonly responded: Responded;
}

/** Answers of which the agent got a disturbed one, until a request asks for them again. */
export class HeldAnswers {
  readonly #held = new Set<Held>();

  hold(received: ReceivedModelRequest, responded: Responded): void {
    this.#held.add({ received, messages: messagesOf(received), responded });
  }

  /** The answer that is due to a request: it repeats the disturbed one, goes on from it, or at least begins as it does. */
  take(received: ReceivedModelRequest): Responded | null {
    const messages = messagesOf(received);
    const closest = [...this.#held]
      .map((held) => ({ held, likeness: likeness(held, received, messages) }))
      .filter((one) => one.likeness > 0)
      .sort((a, b) => b.likeness - a.likeness)[0];
    if (closest === undefined) return null;
    this.#held.delete(closest.held);
    return closest.held.responded;
  }
}

/** 3 for the same request, 2 for one that goes on from it, 1 for the same beginning, 0 for a request of another conversation. */
function likeness(
  held: Held,
  { previousResponseId }: ReceivedModelRequest,
  messages: readonly string[],
): number {
  const before = held.received.previousResponseId;
  const goesOn = held.messages.every((message, at) => messages[at] === message);
  if (before === previousResponseId && goesOn) return messages.length === held.messages.length ? 3 : 2;
  if (previousResponseId !== null) {
    return previousResponseId === held.responded.answer.id ? 2 : previousResponseId === before ? 1 : 0;
  }
  return messages[0] === held.messages[0] ? 1 : 0;
}

function messagesOf({ request }: ReceivedModelRequest): readonly string[] {
  return (request.messages ?? []).map((message) => canonicalJson({ ...message }));
}
