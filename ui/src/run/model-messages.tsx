import { ApiError, ask, useLoaded } from "../api.ts";
import { counted } from "../format.ts";
import { Loaded } from "../parts/notice.tsx";
import { withParameters } from "../route.ts";
import type { MessageJson, RunJson } from "../types.ts";
import { Message, shownRole } from "./message.tsx";

/** Input and output messages of a model call; empty if unknown. */
interface CallMessages {
  readonly input: readonly MessageJson[];
  readonly output: readonly MessageJson[];
}

interface ModelMessagesProps {
  readonly run: RunJson;
  /** Index among the run's model calls. */
  readonly index: number;
  readonly spanId: string | null;
}

/** Input and output messages of a model call. Input messages before the last answer are folded. */
export function ModelMessages({ run, index, spanId }: ModelMessagesProps) {
  const loading = useLoaded(() => messagesOf(run, index, spanId), [run.run_id, index, spanId]);
  return (
    <Loaded from={loading}>
      {({ input, output }) => (
        <>
          <Part title="input" messages={input} earlier={earlierOf(input)} />
          <Part title="output" messages={output} earlier={0} />
          {run.messages.length > 0 && (
            <p class="quiet">
              <a href={withParameters({ tab: "conversation" })}>
                Complete conversation, {counted(run.messages.length, "message")}
              </a>
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}

function Part({
  title,
  messages,
  earlier,
}: {
  title: string;
  messages: readonly MessageJson[];
  earlier: number;
}) {
  if (messages.length === 0)
    return <p class="quiet">{title}: not captured. The System page names the setting that records it.</p>;
  return (
    <section class="block call-messages" aria-label={title}>
      <h4>{title}</h4> <span class="quiet">{counted(messages.length, "message")}</span>
      {earlier > 0 && (
        <details>
          <summary>{counted(earlier, "earlier message")}</summary>
          <MessageList messages={messages.slice(0, earlier)} />
        </details>
      )}
      <MessageList messages={messages.slice(earlier)} />
    </section>
  );
}

function MessageList({ messages }: { messages: readonly MessageJson[] }) {
  return (
    <ol class="conversation">
      {messages.map((message, at) => (
        <li key={at} class={`message ${shownRole(message)}`}>
          <Message message={message} />
        </li>
      ))}
    </ol>
  );
}

/**
 * Returns the number of input messages that an earlier model call already had: all messages before the last answer. The last answer is not
 * counted and stays visible, because it contains the tool calls.
 */
function earlierOf(input: readonly MessageJson[]): number {
  return Math.max(
    0,
    input.findLastIndex(({ role }) => role === "assistant"),
  );
}

/**
 * Returns the messages of a model call. They come from the span of the call. If the span is not stored, they come from the run's messages,
 * provided that each answer there belongs to one call.
 */
async function messagesOf(run: RunJson, index: number, spanId: string | null): Promise<CallMessages> {
  if (spanId !== null) {
    try {
      const path = `/api/v1/runs/${encodeURIComponent(run.run_id)}/spans/${encodeURIComponent(spanId)}/messages`;
      const found = await ask<CallMessages>(path);
      if (found.input.length + found.output.length > 0) return found;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
    }
  }
  const answers = run.messages.flatMap(({ role }, at) => (role === "assistant" ? [at] : []));
  const at = answers.length === run.llm.length ? answers[index] : undefined;
  if (at === undefined) return { input: [], output: [] };
  return { input: run.messages.slice(0, at), output: run.messages.slice(at, at + 1) };
}
