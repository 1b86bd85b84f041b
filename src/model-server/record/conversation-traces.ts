import { createHash, randomBytes } from "node:crypto";
import type { Message } from "../../model/message.ts";
import type { ModelAnswer } from "../../model/model-exchange.ts";
import { canonicalJson } from "../../support/structures/canonical-json.ts";
import { NewestEntries } from "../../support/structures/newest-entries.ts";
import type { RecordedCall } from "./call-span.ts";

/** Trace for a model call whose client names no parent span. */
export interface ConversationTrace {
  readonly traceId: string;
  /** Conversation id, which is the same for all turns of the conversation. */
  readonly conversationId: string;
}

/** Maximum number of histories that are remembered. */
const MOST = 20_000;

/**
 * Finds the calls of one run by their growing history. A request whose history begins with an earlier request and its answer, followed by
 * tool results, belongs to the same run. If instead a user message follows, the request begins the next turn, which gets another trace with
 * the same conversation id.
 */
export class ConversationTraces {
  readonly #byHistory = new NewestEntries<string, ConversationTrace>(MOST);

  /** Returns the trace of a call, and remembers the call's history for later calls. */
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
      // The client may repeat the failed request, so the history is remembered although there is no answer.
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

/** Returns the same trace if no user message was added; otherwise a new trace with the same conversation id. */
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

/** Returns for each message a digest of the history up to this message. */
function digestsOf(service: string, messages: readonly Message[]): string[] {
  let digest = service;
  return messages.map((message) => (digest = after(digest, message)));
}

type MessageParts = Pick<Message, "role" | "text" | "calls" | "results">;

/** Returns the message with which a client repeats an answer in its history. */
function answerMessage({ text, calls }: ModelAnswer): MessageParts {
  return { role: "assistant", text, calls, results: [] };
}

/**
 * Extends the digest by a message. For tool calls with an id, only the id is included, because a client may encode the arguments
 * differently each time.
 */
function after(digest: string, { role, text, calls, results }: MessageParts): string {
  const fields = [
    role,
    text ?? "",
    calls.map(({ id, name, arguments: given }) => id ?? [name, given ?? null]),
    results.map(({ callId, content }) => [callId, content ?? null]),
  ];
  return createHash("sha256").update(digest).update(canonicalJson(fields)).digest("base64");
}
