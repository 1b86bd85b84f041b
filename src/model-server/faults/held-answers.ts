import type { ReceivedModelRequest } from "../protocols/protocol.ts";
import type { Responded } from "../server/responder.ts";

interface Held {
  /** Messages of the request, each as one text. */
  readonly messages: readonly string[];
  readonly responded: Responded;
}

/** Answers that a fault replaced, held until a later request needs them. */
export class HeldAnswers {
  readonly #held = new Set<Held>();

  hold(received: ReceivedModelRequest, responded: Responded): void {
    this.#held.add({ messages: messagesOf(received), responded });
  }

  /**
   * Returns the held answer for a request that repeats or continues the request with the fault, or at least begins like
   * it.
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
 * Returns 3 for the same request, 2 for its continuation, 1 for a request with the same beginning, and 0 for another
 * conversation.
 */
function likeness(held: readonly string[], messages: readonly string[]): number {
  if (held.every((message, at) => messages[at] === message)) return messages.length === held.length ? 3 : 2;
  return messages[0] === held[0] ? 1 : 0;
}

function messagesOf({ request }: ReceivedModelRequest): readonly string[] {
  return (request.messages ?? []).map((message) => JSON.stringify(message));
}
