import { expect, test } from "vitest";
import { limitedLog } from "../../src/support/telemetry/log/log.ts";

test("each kind of line is written once a minute, with the number of suppressed lines; counters continue", () => {
  let nowMs = 0;
  const lines: object[] = [];
  const write = (details: object, message: string): void => void lines.push({ ...details, message });
  const log = limitedLog({ warn: write, error: write } as never, () => nowMs);
  for (nowMs = 0; nowMs < 150_000; nowMs += 1000) {
    log.warn({ destination: "a", error: `text ${nowMs}` }, "export failed");
    log.error({ destination: "b" }, "export failed");
  }
  expect(lines.filter((line) => "destination" in line && line.destination === "a")).toEqual([
    { destination: "a", error: "text 0", message: "export failed" },
    { destination: "a", error: "text 60000", suppressed: 59, message: "export failed" },
    { destination: "a", error: "text 120000", suppressed: 59, message: "export failed" },
  ]);
  expect(lines).toHaveLength(6);
});

test("kinds that senders choose take a bounded amount of memory", () => {
  let written = 0;
  const log = limitedLog({ warn: () => void written++, error: () => undefined } as never, () => 0);
  for (let i = 0; i < 3000; i++) log.warn({ destination: `d${i}` }, "m");
  expect(written).toBe(3000);
  log.warn({ destination: "d2999" }, "m");
  log.warn({ destination: "d0" }, "m");
  expect(written).toBe(3001);
});
