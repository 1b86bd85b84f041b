import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/**
 * Tracks the unanswered requests of a transport, so that the process can wait for their answers after its input has ended. Call
 * `watchAnswers` after the server is connected.
 * @returns a function whose promise resolves when all requests so far are answered or cancelled
 */
export function watchAnswers(transport: Transport): () => Promise<void> {
  const open = new Set<unknown>();
  let idle: (() => void) | undefined;
  const answered = (id: unknown): void => {
    open.delete(id);
    if (open.size === 0) idle?.();
  };
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  // A transport is not an event target: it has only the property `onmessage`.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  transport.onmessage = (message, extra) => {
    if ("method" in message && "id" in message) open.add(message.id);
    onmessage?.(message, extra);
    if ("method" in message && message.method === "notifications/cancelled")
      answered(message.params?.["requestId"]);
  };
  transport.send = async (message, options) => {
    await send(message, options);
    if (!("method" in message) && "id" in message) answered(message.id);
  };
  return () => (open.size === 0 ? Promise.resolve() : new Promise((resolve) => (idle = resolve)));
}
