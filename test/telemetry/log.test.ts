import { expect, test } from "vitest";
import { createLog, type LogOptions } from "../../src/support/telemetry/log/log.ts";

function logged(options: Partial<LogOptions>, write: (log: ReturnType<typeof createLog>) => void): string {
  let text = "";
  const stream = { write: (line: string) => (text += line), isTTY: false };
  write(createLog({ level: "info", format: "json", stream, ...options }));
  return text;
}

test("a line is JSON with level, time and message", () => {
  const line = JSON.parse(logged({}, (log) => log.warn({ port: 4318 }, "port in use"))) as object;
  expect(line).toEqual({
    level: "warn",
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    port: 4318,
    msg: "port in use",
  });
});

test("lines below the level are not written", () => {
  expect(logged({ level: "warn" }, (log) => log.info("listening"))).toBe("");
});

test("on a terminal it is plain text", () => {
  let text = "";
  const stream = { write: (line: string) => (text += line), isTTY: true };
  createLog({ level: "info", format: "auto", stream }).warn({ port: 4318, reasons: ["a"] }, "port in use");
  expect(text).toMatch(/^\d\d:\d\d:\d\d WARN {2}port in use {2}port=4318 {2}reasons=\["a"\]\n$/);
});

test("control characters of senders do not reach the terminal through the log", () => {
  const text = logged({ format: "pretty" }, (log) =>
    log.info({ name: "\u001b[31mred\u0007" }, "span \u009b2J"),
  );
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(text).toContain("red");
});

test("A15 the log contains no secret: not in messages, fields, errors, keys or headers", () => {
  const secret = 'sk-live-"quoted"\\0123456789';
  for (const format of ["json", "pretty"] as const) {
    const text = logged({ format, secrets: () => [secret] }, (log) => {
      log.info(
        { nested: { deep: [secret] }, headers: { authorization: "Bearer other-token" } },
        `with ${secret}`,
      );
      log.error(new Error(`refused ${secret}`), "failed");
      log.info({ api_key: "another", [secret]: 1 }, "keys");
    });
    for (const part of ["sk-live", "0123456789", "other-token", "another"]) expect(text).not.toContain(part);
    expect(text).toContain("[redacted]");
  }
});
