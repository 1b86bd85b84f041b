import type { FragmentBoundary } from "./fragment-boundary.ts";
import { ToolSeekers } from "./tool-seekers.ts";
import { signature } from "./fragment-boundary.ts";

/** The fragments before one, by what a later one may take up. Of several the one added last, the latest, is found. */
export class EarlierFragments {
  readonly #byRequestId = new Map<string, FragmentBoundary>();
  readonly #byRequest = new Map<string, FragmentBoundary>();
  readonly #byUnseenRequest = new Map<string, FragmentBoundary>();
  readonly #byFinalText = new Map<string, FragmentBoundary>();
  readonly #byTarget = new Map<string, FragmentBoundary>();
  readonly #byWaitingTool = new Map<string, FragmentBoundary>();
  readonly #openByConversation = new Map<string, FragmentBoundary>();
  readonly #seekers = new ToolSeekers();
  readonly #order = new Map<FragmentBoundary, number>();

  add(boundary: FragmentBoundary): void {
    this.#order.set(boundary, this.#order.size);
    for (const { id, name, arguments: args } of boundary.lastRequests) {
      if (id !== null) this.#byRequestId.set(id, boundary);
      this.#byRequest.set(`${id === null ? "" : "+"}${signature(name ?? undefined, args)}`, boundary);
    }
    if (boundary.hasNoAgentSpan && boundary.finalText !== undefined)
      this.#byFinalText.set(boundary.finalText, boundary);
    if (boundary.seeksTools) this.#seekers.add(boundary);
    if (boundary.isOpen) this.#addOpen(boundary);
  }

  #addOpen(boundary: FragmentBoundary): void {
    if (boundary.lastRequests.length === 0 && boundary.asked !== undefined) {
      this.#byUnseenRequest.set(boundary.asked, boundary);
    }
    for (const target of boundary.targets) this.#byTarget.set(target, boundary);
    for (const tool of boundary.unanswered) this.#byWaitingTool.set(tool, boundary);
    const { conversation } = boundary;
    if (conversation !== undefined && boundary.lastCall !== undefined)
      this.#openByConversation.set(conversation, boundary);
  }

  /** Whose last call asked for a tool under one of these ids. */
  thatAskedId(ids: Iterable<string>): FragmentBoundary | undefined {
    return this.#latest(ids, this.#byRequestId);
  }

  /** Whose last call asked for one of these tools with these arguments; `withIds`: also where that call has an id. */
  thatAsked(signatures: Iterable<string>, withIds: boolean): FragmentBoundary | undefined {
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
  thatAskedUnseen(question: string): FragmentBoundary | undefined {
    return this.#byUnseenRequest.get(question);
  }

  /** A lone call that ended with one of these texts. */
  thatSaid(texts: Iterable<string>): FragmentBoundary | undefined {
    return this.#latest(texts, this.#byFinalText);
  }

  /** Open, and its last call handed over to this agent. */
  thatHandedTo(agent: string): FragmentBoundary | undefined {
    return this.#byTarget.get(agent);
  }

  /** Open, with one of these tools waiting. */
  thatWaitsFor(tools: Iterable<string>): FragmentBoundary | undefined {
    return this.#latest(tools, this.#byWaitingTool);
  }

  /** Whose calls asked for this tool, of which it has no span. */
  thatSeeks(tool: FragmentBoundary): FragmentBoundary | undefined {
    return this.#seekers.of(tool);
  }

  openIn(conversation: string): FragmentBoundary | undefined {
    return this.#openByConversation.get(conversation);
  }

  #latest(keys: Iterable<string>, map: ReadonlyMap<string, FragmentBoundary>): FragmentBoundary | undefined {
    let found: FragmentBoundary | undefined;
    for (const key of keys) found = this.#later(found, map.get(key));
    return found;
  }

  #later(a: FragmentBoundary | undefined, b: FragmentBoundary | undefined): FragmentBoundary | undefined {
    if (a === undefined || b === undefined) return a ?? b;
    return (this.#order.get(a) ?? 0) > (this.#order.get(b) ?? 0) ? a : b;
  }
}
