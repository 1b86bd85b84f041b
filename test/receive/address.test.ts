import { expect, test } from "vitest";
import { formatAddress, parseAddress } from "../../src/support/security/addresses/address.ts";
import { JSON_TYPE, receive, send, takeAll } from "./support.ts";
import { createReceiver } from "../../src/receive/receiver.ts";

const options = { log: { warn: () => undefined, error: () => undefined }, accept: takeAll };

test.each([
  ["127.0.0.1:4318", { host: "127.0.0.1", port: 4318 }],
  ["localhost:0", { host: "localhost", port: 0 }],
  ["[::1]:4317", { host: "::1", port: 4317 }],
])("the address %s is read and written", (text, address) => {
  expect(parseAddress(text, "receive.http")).toEqual(address);
  expect(formatAddress(address)).toBe(text);
});

test("a port alone is an address of this machine only", () => {
  expect(parseAddress("4318", "receive.http")).toEqual({ host: "127.0.0.1", port: 4318 });
});

test("off is no address", () => {
  expect(parseAddress("off", "receive.http")).toBeNull();
});

test.each(["", "123456", ":4318", "127.0.0.1", "::1:4318", "http://a:1", "a b:1"])(
  "the address %j is refused with the setting's name",
  (text) => {
    expect(() => parseAddress(text, "receive.grpc")).toThrow(/^receive\.grpc: .*host:port/);
  },
);

test("a port above 65535 is refused with the largest one", () => {
  expect(() => parseAddress("host:99999", "receive.grpc")).toThrow(/^receive\.grpc: .*65535/);
});

test("an address of another machine, and a name that does not resolve", async () => {
  for (const http of ["192.0.2.1:0", "no-such-host.invalid:0"]) {
    await expect(createReceiver({ ...options, http, grpc: "off" })).rejects.toThrow(/^receive\.http: /);
  }
});

test("each door can be off", async () => {
  const { receiver, http } = await receive({ grpc: "off" });
  expect(receiver.listening).toEqual({ http, grpc: null });
  expect((await send(http, "/v1/traces", JSON_TYPE, "{}")).status).toBe(200);
});
