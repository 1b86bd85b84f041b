import type { lookup } from "node:dns";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { type AddressGuard, createAddressGuard } from "../../src/support/security/addresses/address-guard.ts";

/** Names resolve to one address after the other, as in DNS rebinding. */
function resolving(...answers: readonly string[][]): typeof lookup {
  let asked = 0;
  return ((_host: string, _options: object, callback: (...result: unknown[]) => void) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  }) as unknown as typeof lookup;
}

const refuses = (guard: AddressGuard, url: string): boolean => {
  try {
    guard.checkUrl(new URL(url));
    return false;
  } catch {
    return true;
  }
};

describe("addresses that are not public", () => {
  test.each([
    "http://127.0.0.1/",
    "http://127.8.9.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://0/",
    "http://10.1.2.3/",
    "http://172.31.0.1/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://169.254.169.254/latest/meta-data",
    "http://[::1]/",
    "http://[::]/",
    "http://[fd12::1]/",
    "http://[fe80::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[64:ff9b::a00:1]/",
    "http://[2002:a00:1::]/",
    "http://255.255.255.255/",
  ])("%s is refused", (url) => {
    expect(refuses(createAddressGuard({ allowedNetworks: [] }), url)).toBe(true);
  });

  test.each([
    "http://93.184.216.34/",
    "http://[2606:4700::1111]/",
    "http://172.32.0.1/",
    "https://example.com/",
  ])("%s is not", (url) => {
    expect(refuses(createAddressGuard({ allowedNetworks: [] }), url)).toBe(false);
  });

  test("are allowed by network, and no others with them", () => {
    const guard = createAddressGuard({ allowedNetworks: ["10.1.0.0/16", "::1"] });
    expect(
      ["http://10.1.2.3/", "http://[::1]/", "http://[::ffff:10.1.9.9]/"].map((url) => refuses(guard, url)),
    ).toEqual([false, false, false]);
    expect(["http://10.2.0.1/", "http://127.0.0.1/"].map((url) => refuses(guard, url))).toEqual([true, true]);
  });

  test.each(["10.0.0.0/33", "10.0.0/8", "localhost", "::/129", "1.2.3.4/x", ""])(
    "%j is no network",
    (network) => {
      expect(() => createAddressGuard({ allowedNetworks: [network] })).toThrow("security.allowed_networks");
    },
  );
});

describe("names", () => {
  const ask = (guard: AddressGuard, host: string, all: boolean): Promise<unknown> =>
    new Promise((resolve, reject) => {
      guard.lookup(host, { all }, (error, found) => (error === null ? resolve(found) : reject(error)));
    });

  test("names are checked by their resolved address each time: a rebound name is refused", async () => {
    const guard = createAddressGuard({
      allowedNetworks: [],
      resolve: resolving(["93.184.216.34"], ["127.0.0.1"]),
    });
    expect(await ask(guard, "hooks.example.com", false)).toBe("93.184.216.34");
    await expect(ask(guard, "hooks.example.com", false)).rejects.toThrow(
      "hooks.example.com is 127.0.0.1, which is not a public address",
    );
  });

  test("with public and private addresses lead to the public ones only", async () => {
    const guard = createAddressGuard({
      allowedNetworks: [],
      resolve: resolving(["10.0.0.1", "93.184.216.34", "::1"]),
    });
    expect(await ask(guard, "a.example", true)).toEqual([{ address: "93.184.216.34", family: 4 }]);
  });

  test("no connection is made to a name that leads here", async () => {
    let reached = 0;
    const server = createServer((_, answer) => {
      reached++;
      answer.end();
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { lookup: check } = createAddressGuard({ allowedNetworks: [], resolve: resolving(["127.0.0.1"]) });
    const failed = await new Promise<Error>((resolve, reject) => {
      request(`http://inside.example:${port}/`, { lookup: check }, reject as never)
        .on("error", resolve)
        .end();
    });
    server.close();
    expect(failed).toMatchObject({ code: "BLOCKED_ADDRESS" });
    expect(reached).toBe(0);
  });

  test.each([
    ["localhost", "127.0.0.1", true],
    ["ollama", "172.18.0.2", true],
    ["judge.internal", "10.0.0.7", true],
    ["judge.example.com", "10.0.0.7", false],
    ["ollama", "169.254.169.254", false],
  ])(
    "that are local by name may be so where the operator wrote them: %s → %s: %s",
    async (host, address, may) => {
      const guard = createAddressGuard({
        allowedNetworks: [],
        localNames: true,
        resolve: resolving([address]),
      });
      const answer = await ask(guard, host, false).catch(() => null);
      expect(answer).toBe(may ? address : null);
    },
  );
});
