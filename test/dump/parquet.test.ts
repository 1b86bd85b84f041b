import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import type { JsonValue } from "../../src/model/json.ts";
import { runCli } from "../support/run-cli.ts";
import { TemporaryFolder } from "./dump-files.ts";
import { withoutService } from "../support/without-service.ts";

/*
 * The files hold the trace of test/fixtures/runs/rag-install.langgraph.jsonl: `otel-traces.parquet` as ClickHouse writes the Collector's table,
 * `phoenix.parquet` as pandas writes the data frame of Phoenix's client.
 */
const fixture = (name: string): string => `test/fixtures/parquet/${name}.parquet`;

const temporary = new TemporaryFolder();
afterAll(() => temporary.remove());

async function inspected(path: string, losses: RegExp): Promise<unknown> {
  const { stdout, stderr } = await runCli("inspect", path, "--format", "json");
  expect(stderr).toBe("");
  return JSON.parse(stdout, (key, value: JsonValue) => {
    if (key === "missing") return withoutService(value);
    return losses.test(key) ? undefined : value;
  });
}

test.each([
  ["otel-traces", /^$/],
  ["phoenix", /^(?:start_unix_ms|duration_ms|service|attributes)$/],
])("spans of %s are those that were sent", async (name, losses) => {
  expect(await inspected(fixture(name), losses)).toEqual(
    await inspected("test/fixtures/runs/rag-install.langgraph.jsonl", losses),
  );
});

test("a file that is cut off, and one with other columns, are explained", async () => {
  const whole = readFileSync(fixture("phoenix"));
  const cut = temporary.write("cut.parquet", whole.subarray(0, 2000));
  const other = temporary.write(
    "other.parquet",
    Buffer.from(whole.toString("latin1").replaceAll("context.", "contexts"), "latin1"),
  );

  const first = await runCli("inspect", cut);
  expect(first.code).toBe(2);
  expect(first.stderr).toMatch(/^error: .*cut\.parquet: not a complete Parquet file/);
  const second = await runCli("inspect", other);
  expect(second.stderr).toMatch(
    /^error: .*other\.parquet: the columns are neither those of ClickHouse's otel_traces nor/,
  );
});
