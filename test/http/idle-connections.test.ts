import { Agent } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { sendRequest } from "../../src/support/http/send-request.ts";

interface Listening {
  readonly url: URL;
  /** Number of requests on each connection. */
  readonly requests: number[];
}

/** A server that answers the first request of each connection, and resets the connection at the second. */
async function resettingServer(): Promise<Listening> {
  const requests: number[] = [];
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    const at = requests.push(0) - 1;
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", () => {
      requests[at] = (requests[at] ?? 0) + 1;
      if (requests[at] > 1) socket.resetAndDestroy();
      else socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`), requests };
}

function keepingAgent(): Agent {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return agent;
}

test("a request on a connection that the server closes is sent again on a new one", async () => {
  const { url, requests } = await resettingServer();
  const options = { method: "POST", headers: {}, agent: keepingAgent(), body: Buffer.from("{}") };
  const answers: string[] = [];
  for (let n = 0; n < 3; n++) answers.push(await text(await sendRequest(url, options)));

  expect(answers).toEqual(["ok", "ok", "ok"]);
  expect(requests).toEqual([2, 2, 1]);
});

test("a body that is a stream cannot be sent again, so the request fails", async () => {
  const { url, requests } = await resettingServer();
  const agent = keepingAgent();
  const send = () =>
    sendRequest(url, { method: "POST", headers: {}, agent, body: Readable.from([Buffer.from("{}")]) });
  await text(await send());

  await expect(send()).rejects.toThrow(/ECONNRESET|socket hang up/);
  expect(requests).toHaveLength(1);
});
