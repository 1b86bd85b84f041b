import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { watchAnswers } from "../../src/interfaces/mcp/answering.ts";

const list: JSONRPCMessage = { jsonrpc: "2.0", id: 1, method: "tools/list" };

function connected(): { readonly transport: Transport; readonly receive: (message: JSONRPCMessage) => void } {
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: () => Promise.resolve(),
    close: () => Promise.resolve(),
    onmessage: () => {},
  };
  return { transport, receive: (message) => transport.onmessage?.(message) };
}

describe("requests on a transport whose input has ended", () => {
  it("are waited for until they are answered", async () => {
    const { transport, receive } = connected();
    const answers = watchAnswers(transport);
    receive(list);
    let done = false;
    const waiting = answers().then(() => (done = true));
    await Promise.resolve();
    expect(done).toBe(false);
    await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
    await waiting;
    expect(done).toBe(true);
  });

  it("are not waited for once they are cancelled, nor where there are none", async () => {
    const { transport, receive } = connected();
    const answers = watchAnswers(transport);
    await answers();
    receive(list);
    receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    await answers();
    receive({ jsonrpc: "2.0", method: "notifications/initialized" });
    await expect(answers()).resolves.toBeUndefined();
  });
});
