import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readCredentials } from "../../src/support/security/credentials.ts";
import { isLoopback, refuseExposure } from "../../src/support/security/addresses/exposure.ts";
import { Guard } from "../../src/support/security/guard.ts";
import { isAllowedOrigin } from "../../src/collector/inputs/open-security.ts";
import type { Scope } from "../../src/support/security/settings.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
const token = (token: string, ...scopes: Scope[]) => ({ name: null, token, file: null, scopes });

const guard = new Guard(
  readCredentials({
    tokens: [token("for-agents", "ingest"), token("for-people", "read"), token("for-chiefs", "admin")],
    users: [{ user: "grafana", password: "pässword:1", passwordFile: null, scopes: ["read"] }],
  }),
);

describe("who may do what", () => {
  test.each<[string | undefined, Scope, string]>([
    ["Bearer for-agents", "ingest", "allowed"],
    ["bearer  for-agents", "ingest", "allowed"],
    ["Bearer for-agents", "read", "forbidden"],
    ["Bearer for-agents", "admin", "forbidden"],
    ["Bearer for-people", "read", "allowed"],
    ["Bearer for-people", "admin", "forbidden"],
    ["Bearer for-people", "ingest", "forbidden"],
    ["Bearer for-chiefs", "admin", "allowed"],
    ["Bearer for-chiefs", "read", "allowed"],
    ["Bearer for-chiefs", "ingest", "forbidden"],
    [basic("grafana:pässword:1"), "read", "allowed"],
    [basic("grafana:pässword:2"), "read", "unauthenticated"],
    [basic("grafana:"), "read", "unauthenticated"],
    [basic("for-people"), "read", "unauthenticated"],
    ["Basic for-people", "read", "unauthenticated"],
    ["Bearer for-agentsx", "ingest", "unauthenticated"],
    ["Bearer for-agent", "ingest", "unauthenticated"],
    ["Bearer", "ingest", "unauthenticated"],
    ["Bearer for-agents, Bearer for-people", "read", "unauthenticated"],
    ["for-agents", "ingest", "unauthenticated"],
    ["", "ingest", "unauthenticated"],
    [undefined, "ingest", "unauthenticated"],
    [`Bearer ${"a".repeat(100_000)}`, "ingest", "unauthenticated"],
  ])("%s for %s: %s", (header, scope, expected) => expect(guard.admit(header, scope)).toBe(expected));

  test("a scope that no credential has is open; read and admin close together", () => {
    const ingestOnly = new Guard(readCredentials({ tokens: [token("t-1", "ingest")], users: [] }));
    expect(ingestOnly.admit(undefined, "read")).toBe("allowed");
    expect(ingestOnly.admit(undefined, "admin")).toBe("allowed");
    const readOnly = new Guard(readCredentials({ tokens: [token("t-1", "read")], users: [] }));
    expect(readOnly.admit(undefined, "ingest")).toBe("allowed");
    expect(readOnly.admit(undefined, "admin")).toBe("unauthenticated");
    expect(readOnly.admit("Bearer t-1", "admin")).toBe("forbidden");
  });

  test("compares all secrets, wherever the matching one is", () => {
    const many = Array.from({ length: 50 }, (_, index) => token(`token-${index}`, "ingest"));
    const crowd = new Guard(readCredentials({ tokens: many, users: [] }));
    for (const index of [0, 25, 49]) expect(crowd.admit(`Bearer token-${index}`, "ingest")).toBe("allowed");
    expect(crowd.admit("Bearer token-50", "ingest")).toBe("unauthenticated");
  });
});

describe("secrets from files", () => {
  function file(text: string): string {
    const folder = temporaryFolder();
    const path = join(folder, "secret");
    writeFileSync(path, text);
    return path;
  }
  const fromFile = (path: string) =>
    readCredentials({ tokens: [{ name: null, token: null, file: path, scopes: ["ingest"] }], users: [] });

  test("one token a line, several good at a time, comments and blank lines left out", () => {
    const both = new Guard(fromFile(file("# until Friday\nold-token\n\nnew-token\r\n")));
    expect(both.admit("Bearer old-token", "ingest")).toBe("allowed");
    expect(both.admit("Bearer new-token", "ingest")).toBe("allowed");
    expect(both.admit("Bearer #", "ingest")).toBe("unauthenticated");
  });

  test.each([
    ["", "has no secret"],
    ["# nothing\n", "has no secret"],
    ["two words\n", "invalid characters"],
  ])("a file with %j is refused: %s", (text, message) => {
    expect(() => fromFile(file(text))).toThrow(message);
  });

  test("a file that is not there, an empty token and an empty password are refused, and named", () => {
    expect(() => fromFile("/nowhere/tokens")).toThrow(/security\.tokens\[0\]: cannot read \/nowhere\/tokens/);
    expect(() => readCredentials({ tokens: [token("", "read")], users: [] })).toThrow("the token is empty");
    const users = [{ user: "a", password: "", passwordFile: null, scopes: ["read"] as const }];
    expect(() => readCredentials({ tokens: [], users })).toThrow("security.users[0]: the password is empty");
  });

  test("no message of an unusable token shows it", () => {
    expect(() => readCredentials({ tokens: [token("s3cret with blanks", "read")], users: [] })).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining("s3cret") }),
    );
  });
});

describe("addresses that others can reach", () => {
  test.each([
    ["127.0.0.1", true],
    ["127.9.9.9", true],
    ["localhost", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["0.0.0.0", false],
    ["::", false],
    ["10.0.0.1", false],
    ["127.0.0.1.example.com", false],
    ["collector", false],
    ["128.0.0.1", false],
  ])("%s is loopback: %s", (host, expected) => expect(isLoopback(host)).toBe(expected));

  test("are opened only with credentials, or when that is said", () => {
    const door = { setting: "receive.http", address: "0.0.0.0:4318", guarded: false } as const;
    expect(() => refuseExposure([door], false)).toThrow(
      /receive\.http: other machines can reach 0\.0\.0\.0:4318.*scope ingest.*security\.open_without_auth/,
    );
    expect(() => refuseExposure([{ ...door, guarded: true }], false)).not.toThrow();
    expect(() => refuseExposure([door], true)).not.toThrow();
    expect(() => refuseExposure([{ ...door, address: "127.0.0.1:4318" }], false)).not.toThrow();
    expect(() => refuseExposure([{ ...door, address: "off" }], false)).not.toThrow();
  });
});

test.each([
  ["https://app.example.com", ["https://app.example.com"], true],
  ["HTTPS://APP.example.com", ["https://app.example.com"], true],
  ["https://app.example.com:8443", ["https://app.example.com"], false],
  ["http://app.example.com", ["https://app.example.com"], false],
  ["https://a.b.example.com", ["https://*.example.com"], true],
  ["https://example.com", ["https://*.example.com"], false],
  ["https://evil.com/.example.com", ["https://*.example.com"], false],
  ["https://evil.com@x.example.com", ["https://*.example.com"], false],
  ["https://x.example.com.evil.com", ["https://*.example.com"], false],
  ["http://localhost:3000", ["http://localhost:*"], true],
  ["https://anything", ["*"], true],
  ["null", ["https://a.com"], false],
  ["https://aXb", ["https://a*X*b"], true],
  ["https://ab", ["https://a*b*b"], false],
])("origin %s for %j: %s", (origin, allowed, expected) =>
  expect(isAllowedOrigin(origin, allowed)).toBe(expected),
);
