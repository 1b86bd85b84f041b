import type { Message } from "../../model/message.ts";

/**
 * Some producers give what a tool returned the tool's name as role: `{ role: "gauge", content: "2 m" }`. Such a message is the tool's, not
 * the user's, where the model asked for a tool of that name before. Messages without such are returned as they are.
 */
export function withNamedResults(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(mayBeResult)) return messages;
  const called = new Set<string>();
  return messages.map((message): Message => {
    for (const { name } of message.calls) if (name !== null) called.add(name);
    const { name, text } = message;
    if (!mayBeResult(message) || name === null || text === null || !called.has(name)) return message;
    const result = { callId: null, name, content: text, isError: false };
    return { role: "tool", name, text: null, calls: [], results: [result] };
  });
}

function mayBeResult({ role, name, calls, results }: Message): boolean {
  return role === "user" && name !== null && calls.length === 0 && results.length === 0;
}
