import { expect, test } from "vitest";
import { failureLog } from "../../src/collector/outputs/forwarding.ts";
import { createLog, limitedLog } from "../../src/support/telemetry/log/log.ts";

test("a backend that fails and works in turn, hundreds of times, is a pair of log lines a minute", () => {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push((JSON.parse(line) as { msg: string }).msg);
  let nowMs = 0;
  const log = createLog({ level: "info", format: "json", stream: { write } });
  const events = failureLog(
    log,
    limitedLog(log, () => nowMs),
  );
  for (; nowMs < 90_000; nowMs += 100) {
    events.failing("backend", "HTTP 503");
    events.working("backend", 1);
  }
  const pair = [
    "requests cannot be forwarded to a backend, and wait in its queue; retrying",
    "forwarding works again",
  ];
  expect(lines).toEqual([...pair, ...pair]);
});
