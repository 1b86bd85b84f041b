import { expect, test } from "vitest";
import { EndpointError, refuseOwnListener, signalUrl } from "../../src/export/otlp/endpoint.ts";

test.each([
  ["http://backend:4318", "http://backend:4318/v1/logs"],
  ["http://backend:4318/", "http://backend:4318/v1/logs"],
  ["https://backend/otlp", "https://backend/otlp/v1/logs"],
  ["https://backend/otlp/?key=1", "https://backend/otlp/v1/logs?key=1"],
  ["http://[::1]:4318", "http://[::1]:4318/v1/logs"],
])("%s sends log records to %s", (endpoint, url) => {
  expect(signalUrl(endpoint, "logs", "export.otlp[0].endpoint")).toBe(url);
});

test.each(["backend:4318", "grpc://backend:4317", "", "http://", "http://backend/v1/traces"])(
  "%j is refused, with its place and what to write",
  (endpoint) => {
    expect(() => signalUrl(endpoint, "logs", "export.otlp[3].endpoint")).toThrow(EndpointError);
    expect(() => signalUrl(endpoint, "logs", "export.otlp[3].endpoint")).toThrow(
      /^export\.otlp\[3\]\.endpoint: .*[Ww]rite/,
    );
  },
);

test.each([
  ["http://localhost:4318", "127.0.0.1:4318"],
  ["http://127.0.0.1:4318/otlp", "127.0.0.1:4318"],
  ["http://[::1]:4318", "localhost:4318"],
  ["http://0.0.0.0:4318", "127.0.0.1:4318"],
  ["http://localhost:4318", "0.0.0.0:4318"],
  ["http://127.1.2.3:4318", "[::]:4318"],
  ["http://10.0.0.5:4318", "10.0.0.5:4318"],
  ["http://LOCALHOST", "127.0.0.1:80"],
  ["https://localhost", "[::1]:443"],
])("%s is our own listener %s", (endpoint, listener) => {
  expect(() => refuseOwnListener(endpoint, ["127.0.0.1:1", listener], "forward[0].endpoint")).toThrow(
    /forward\[0\]\.endpoint.*is a listener of this collector/,
  );
});

test.each([
  ["http://localhost:4328", "127.0.0.1:4318"],
  ["http://backend:4318", "127.0.0.1:4318"],
  ["http://backend:4318", "0.0.0.0:4318"],
  ["http://10.0.0.6:4318", "10.0.0.5:4318"],
])("%s is not our listener %s", (endpoint, listener) => {
  expect(() => refuseOwnListener(endpoint, [listener], "forward[0].endpoint")).not.toThrow();
});

test("no message contains the credentials of an address", () => {
  const endpoint = "http://user:pass-word@127.0.0.1:4318/otlp?key=se-cret";
  const messages = [
    () => refuseOwnListener(endpoint, ["127.0.0.1:4318"], "forward[0].endpoint"),
    () => signalUrl(endpoint.replace("/otlp", "/v1/traces"), "traces", "forward[0].endpoint"),
    () => signalUrl(endpoint.replace("http:", "ftp:"), "traces", "forward[0].endpoint"),
  ].map((refused) => {
    try {
      refused();
    } catch (error) {
      return String(error);
    }
    return "no error";
  });
  for (const message of messages) {
    expect(message).toContain("127.0.0.1:4318/");
    expect(message).not.toMatch(/user|pass-word|se-cret/);
  }
});
