import type { lookup } from "node:dns";
import { gzipSync } from "node:zlib";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { directFetch } from "../../src/support/http/send-request.ts";
import { createAddressGuard } from "../../src/support/security/addresses/address-guard.ts";

const resolvingTo = (address: string): typeof lookup =>
  ((_host: string, _options: object, callback: (...result: unknown[]) => void) =>
    callback(null, [{ address, family: 4 }])) as unknown as typeof lookup;

async function server(): Promise<{ port: number; reached: string[] }> {
  const reached: string[] = [];
  const listening = createServer((request, answer) => {
    request.on("data", (chunk: Buffer) => reached.push(chunk.toString()));
    request.on("end", () => {
      if (request.url === "/moved") answer.writeHead(302, { location: "/" }).end();
      else answer.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync('{"ok":true}'));
    });
  });
  await new Promise<void>((resolve) => void listening.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return { port: (listening.address() as AddressInfo).port, reached };
}

const ask = (url: string, address: string, allowedNetworks: readonly string[] = []): Promise<Response> => {
  const guard = createAddressGuard({ allowedNetworks, localNames: true, resolve: resolvingTo(address) });
  return directFetch({ guard })(url, { method: "POST", body: "question" });
};

test("a judge at an address written down as local is asked", async () => {
  const { port, reached } = await server();
  const answer = await ask(`http://127.0.0.1:${port}/`, "unused");
  expect(await answer.json()).toEqual({ ok: true });
  expect(reached).toEqual(["question"]);
});

test("a judge's public name that resolves to a private address is not called, unless its network is allowed", async () => {
  const { port, reached } = await server();
  const url = `http://judge.example.com:${port}/`;
  await expect(ask(url, "127.0.0.1")).rejects.toMatchObject({ code: "BLOCKED_ADDRESS" });
  expect(reached).toEqual([]);
  expect((await ask(url, "127.0.0.1", ["127.0.0.0/8"])).status).toBe(200);
});

test("the metadata address of clouds is not called as a judge, in any notation", async () => {
  await expect(ask("http://169.254.169.254/", "unused")).rejects.toMatchObject({ code: "BLOCKED_ADDRESS" });
  await expect(ask("http://metadata/", "169.254.169.254")).rejects.toMatchObject({ code: "BLOCKED_ADDRESS" });
});
