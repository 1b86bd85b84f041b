import type { ReceivedModelRequest } from "../protocols/protocol.ts";
import type { Responded } from "../server/responder.ts";

interface Held {
  /** Each message as one text. */
  readonly messages: readonly string[];
  readonly responded: Responded;
}

/** Answers of which the agent got a disturbed one, until a request asks for them again. */
export class HeldAnswers {
  readonly #held = new Set<Held>();

  hold(received: ReceivedModelRequest, responded: Responded): void {
    this.#held.add({ messages: messagesOf(received), responded });
  }

  /** The answer that is due to a request: it repeats the disturbed one, goes on from it, or at least begins as it does. */
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

/** 3 for the same request, 2 for one that goes on from it, 1 for the same beginning, 0 for a request of another conversation. */
function likeness(held: readonly string[], messages: readonly string[]): number {
  if (held.every((message, at) => messages[at] === message)) return messages.length === held.length ? 3 : 2;
  return messages[0] === held[0] ? 1 : 0;
}

function messagesOf({ request }: ReceivedModelRequest): readonly string[] {
  return (request.messages ?? []).map((message) => JSON.stringify(message));
}
