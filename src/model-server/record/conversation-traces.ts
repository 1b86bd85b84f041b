import { createHash, randomBytes } from "node:crypto";
import type { Message } from "../../model/message.ts";
import type { ModelAnswer } from "../../model/model-exchange.ts";
import { canonicalJson } from "../../support/structures/canonical-json.ts";
import { NewestEntries } from "../../support/structures/newest-entries.ts";
import type { RecordedCall } from "./call-span.ts";

/** The trace that a call is part of, where nothing names one. */
export interface ConversationTrace {
  readonly traceId: string;
  /** The same for all turns that go on from each other. */
  readonly conversationId: string;
}

/** Conversations that are known at a time. */
const MOST = 20_000;

/**
 * Finds calls of one run by their growing history: a request that begins with an earlier request and its answer, and goes on with results of
 * tools, is part of the same run. One that goes on with a user's message is the next turn: another trace of the same conversation.
 */
export class ConversationTraces {
  readonly #byHistory = new NewestEntries<string, ConversationTrace>(MOST);

  /** Finds the trace of a call, and remembers what a later call would begin with. */
  traceOf(service: string, call: RecordedCall): ConversationTrace {
    const messages = call.request?.messages ?? [];
    const digests = digestsOf(service, messages);
    const trace = this.#found(service, call, messages, digests) ?? fresh();
    const whole = digests.at(-1);
    if (call.answer !== null) {
      const { id } = call.answer;
      if (id !== null) this.#byHistory.set(`${service} ${id}`, trace);
      if (whole !== undefined) this.#byHistory.set(after(whole, answerMessage(call.answer)), trace);
    } else if (whole !== undefined) {
      // A client sends a request that failed again.
      this.#byHistory.set(whole, trace);
    }
    return trace;
  }

  #found(
    service: string,
    { previousResponseId, request }: RecordedCall,
    messages: readonly Message[],
    digests: readonly string[],
  ): ConversationTrace | undefined {
    const repeated = digests.length === 0 ? undefined : this.#byHistory.get(digests.at(-1) ?? "");
    if (repeated !== undefined) return repeated;
    const previous =
      previousResponseId === null ? undefined : this.#byHistory.get(`${service} ${previousResponseId}`);
    if (previous !== undefined && request !== null) return continued(previous, messages);
    for (let at = messages.length - 1; at >= 0; at--) {
      const known = messages[at]?.role === "assistant" ? this.#byHistory.get(digests[at] ?? "") : undefined;
      if (known !== undefined) return continued(known, messages.slice(at + 1));
    }
    return undefined;
  }
}

/** The same trace where only results of tools were added, else the next one of the conversation. */
function continued(known: ConversationTrace, added: readonly Message[]): ConversationTrace {
  const isTurn = added.some(
    ({ role, text, results }) => role === "user" && text !== null && results.length === 0,
  );
  return isTurn ? { ...fresh(), conversationId: known.conversationId } : known;
}

function fresh(): ConversationTrace {
  const traceId = randomBytes(16).toString("hex");
  return { traceId, conversationId: traceId };
}

/** For each message the digest of the history up to and with it. */
function digestsOf(service: string, messages: readonly Message[]): string[] {
  let digest = service;
  return messages.map((message) => (digest = after(digest, message)));
}

type Told = Pick<Message, "role" | "text" | "calls" | "results">;

/** What a client sends back of an answer. */
function answerMessage({ text, calls }: ModelAnswer): Told {
  return { role: "assistant", text, calls, results: [] };
}

/** Ids are enough where there are some: clients write arguments anew. */
function after(digest: string, { role, text, calls, results }: Told): string {
  const told = [
    role,
    text ?? "",
    calls.map(({ id, name, arguments: given }) => id ?? [name, given ?? null]),
    results.map(({ callId, content }) => [callId, content ?? null]),
  ];
  return createHash("sha256").update(digest).update(canonicalJson(told)).digest("base64");
}
