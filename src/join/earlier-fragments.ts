import type { Seams } from "./seams.ts";
import { signature } from "./seams.ts";

/** The fragments before one, by what a later one may take up. Of several the one added last, the latest, is found. */
export class EarlierFragments {
  readonly #byRequestId = new Map<string, Seams>();
  readonly #byRequest = new Map<string, Seams>();
  readonly #byUnseenRequest = new Map<string, Seams>();
  readonly #byFinalText = new Map<string, Seams>();
  readonly #byTarget = new Map<string, Seams>();
  readonly #byWaitingTool = new Map<string, Seams>();
  readonly #openByConversation = new Map<string, Seams>();
  readonly #order = new Map<Seams, number>();

  add(seams: Seams): void {
    this.#order.set(seams, this.#order.size);
    for (const { id, name, arguments: args } of seams.lastRequests) {
      if (id !== null) this.#byRequestId.set(id, seams);
      this.#byRequest.set(`${id === null ? "" : "+"}${signature(name ?? undefined, args)}`, seams);
    }
    if (seams.isBare && seams.finalText !== undefined) this.#byFinalText.set(seams.finalText, seams);
    if (seams.isOpen) this.#addOpen(seams);
  }

  #addOpen(seams: Seams): void {
    if (seams.lastRequests.length === 0 && seams.asked !== undefined) {
      this.#byUnseenRequest.set(seams.asked, seams);
    }
    for (const target of seams.targets) this.#byTarget.set(target, seams);
    for (const tool of seams.unanswered) this.#byWaitingTool.set(tool, seams);
    const { conversation } = seams;
    if (conversation !== undefined && seams.lastCall !== undefined)
      this.#openByConversation.set(conversation, seams);
  }

  /** Whose last call asked for a tool under one of these ids. */
  thatAskedId(ids: Iterable<string>): Seams | undefined {
    return this.#latest(ids, this.#byRequestId);
  }

  /** Whose last call asked for one of these tools with these arguments; `withIds`: also where that call has an id. */
  thatAsked(signatures: Iterable<string>, withIds: boolean): Seams | undefined {
    const all = [...signatures];
    const without = this.#latest(all, this.#byRequest);
    const having = withIds
      ? this.#latest(
          all.map((one) => `+${one}`),
          this.#byRequest,
        )
      : undefined;
    return this.#later(without, having);
  }

  /** That answered this question with a request for tools, of which the telemetry does not tell which. */
  thatAskedUnseen(question: string): Seams | undefined {
    return this.#byUnseenRequest.get(question);
  }

  /** A lone call that ended with one of these texts. */
  thatSaid(texts: Iterable<string>): Seams | undefined {
    return this.#latest(texts, this.#byFinalText);
  }

  /** Open, and its last call handed over to this agent. */
  thatHandedTo(agent: string): Seams | undefined {
    return this.#byTarget.get(agent);
  }

  /** Open, with one of these tools waiting. */
  thatWaitsFor(tools: Iterable<string>): Seams | undefined {
    return this.#latest(tools, this.#byWaitingTool);
  }

  openIn(conversation: string): Seams | undefined {
    return this.#openByConversation.get(conversation);
  }

  #latest(keys: Iterable<string>, map: ReadonlyMap<string, Seams>): Seams | undefined {
    let found: Seams | undefined;
    for (const key of keys) found = this.#later(found, map.get(key));
    return found;
  }

  #later(a: Seams | undefined, b: Seams | undefined): Seams | undefined {
    if (a === undefined || b === undefined) return a ?? b;
    return (this.#order.get(a) ?? 0) > (this.#order.get(b) ?? 0) ? a : b;
  }
}
