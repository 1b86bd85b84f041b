import type { ReceivedModelRequest } from "../protocols/protocol.ts";
import type { Responded } from "../server/responder.ts";

interface Held {
  /** Messages of the request, each as one text. */
  readonly messages: readonly string[];
  readonly responded: Responded;
}

/** Holds answers that a fault replaced, until a later request needs them. */
export class HeldAnswers {
  readonly #held = new Set<Held>();

  hold(received: ReceivedModelRequest, responded: Responded): void {
    this.#held.add({ messages: messagesOf(received), responded });
  }

  /**
   * Returns the held answer for a request. Prefers a repetition of the request with the fault, then its continuation, then a request with
   * the same first message. Returns null if no answer is held for the request.
   */
  take(received: ReceivedModelRequest): Responded | null {
    const messages = messagesOf(received);
    const closest = [...this.#held]
      .map((held) => ({ held, likeness: likeness(held.messages, messages) }))
      .filter((one) => one.likeness > 0)
      .sort((a, b) => b.likeness - a.likeness)[0];
    if (closest === undefined) return null;
    this.#held.delete(closest.held);
    return closest.held.responded;
  }
}

/**
 * Compares a request with an earlier request: 3 if they are equal, 2 if the request continues the earlier request, 1 if only the first
 * message is the same, otherwise 0.
 */
function likeness(held: readonly string[], messages: readonly string[]): number {
  if (held.every((message, at) => messages[at] === message)) return messages.length === held.length ? 3 : 2;
  return messages[0] === held[0] ? 1 : 0;
}

function messagesOf({ request }: ReceivedModelRequest): readonly string[] {
  return (request.messages ?? []).map((message) => JSON.stringify(message));
}
