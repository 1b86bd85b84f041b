import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { serve, serveInTest } from "../support/serve.ts";

async function heldPort(): Promise<string> {
  const holder = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void holder.close());
  await new Promise((resolve) => holder.once("listening", resolve));
  return `127.0.0.1:${(holder.address() as AddressInfo).port}`;
}

test.each([
  [["http", "grpc"], /^receive\.http: \S+ is in use, and so is \S+ \(receive\.grpc\), probably by/],
  [
    ["http", "grpc", "admin"],
    /^receive\.http: \S+ is in use, and so are \S+ \(receive\.grpc\) and \S+ \(admin\), probably/,
  ],
  [["admin"], /^admin: \S+ is in use, probably by .*--set admin=127\.0\.0\.1:0/],
] as const)(
  "ports in use (%j) are reported together, with a free address for each",
  async (keys, message) => {
    const taken = new Map<string, string>();
    for (const key of keys) taken.set(key, await heldPort());
    const error: unknown = await serve(Object.fromEntries(taken)).then(
      (live) => live.stop(0),
      (thrown: unknown) => thrown,
    );
    const text = (error as Error).message;
    expect(text).toMatch(message);
    for (const [key, address] of taken) {
      expect(text).toContain(address);
      expect(text).toMatch(new RegExp(String.raw`--set (?:receive\.)?${key}=127\.0\.0\.1:\d+`));
    }
  },
);

test("the message names another tracejury that holds the ports, and has the command for other ports", async () => {
  const live = await serveInTest({ grpc: "127.0.0.1:0" });
  const { http, admin } = live.listening;
  const error: unknown = await serve({ http: http ?? "", admin: admin ?? "" }).then(
    (second) => second.stop(0),
    (thrown: unknown) => thrown,
  );
  expect((error as Error).message).toMatch(
    /by another tracejury \(tracejury serve or npm start\): stop that process, or use other ports:\n {2}tracejury serve --set receive\.http=\S+ --set admin=\S+$/,
  );
});
