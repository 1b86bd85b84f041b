import { expect, test } from "vitest";
import { shortened } from "../../src/interfaces/mcp/server.ts";

test("a long answer keeps its begin and its end, where failures and the exit code are", () => {
  const text = `run 1 passed\n${"run passed\n".repeat(10_000)}run 9 failed\nexit 1: 1 run failed`;
  const short = shortened(text);

  expect(short.length).toBeLessThan(61_000);
  expect(short).toMatch(/^run 1 passed\n/);
  expect(short).toContain(`… truncated: ${text.length - 60_000} characters are left out here`);
  expect(short).toMatch(/run 9 failed\nexit 1: 1 run failed$/);
  expect(shortened("exit 0")).toBe("exit 0");
});
