import { describe, expect, it } from "vitest";
import { document, span } from "../support/otlp.ts";
import { replayed } from "../support/replayed.ts";

/** An application's own span around plain model calls is the agent's where the instructions call the model so. */

const chat = (instructions: string) =>
  span("c", "r", "chat small", 1, 5, {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "small",
    "gen_ai.input.messages": JSON.stringify([
      { role: "system", parts: [{ type: "text", content: instructions }] },
      { role: "user", parts: [{ type: "text", content: "How high?" }] },
    ]),
  });

async function agentOf(name: string, instructions: string): Promise<string | null | undefined> {
  const [run] = await replayed(document([span("r", undefined, name, 0, 9, {}), chat(instructions)]));
  return run?.agent;
}

describe("the agent of an application that instruments only its model client", () => {
  it.each([
    ["HarbourClerk", "You are HarbourClerk. You look after tides."],
    ["tide desk", "You are the tide desk of a harbour."],
    ["Tidy", "A helper named 'Tidy' answers."],
  ])("is its own span %s", async (name, instructions) => {
    expect(await agentOf(name, instructions)).toBe(name);
  });

  it.each([
    ["checkout", "You help people at the checkout."],
    ["Harbour", "You are HarbourClerk."],
    ["chat", "You are a chat assistant."],
  ])("is not its own span %s, which the instructions do not introduce", async (name, instructions) => {
    expect(await agentOf(name, instructions)).not.toBe(name);
  });
});
