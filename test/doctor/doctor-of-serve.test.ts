import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

const dump = "test/fixtures/runs/rag-weather-broken.langgraph.jsonl";
const stop: (() => void)[] = [];
afterEach(() => stop.splice(0).forEach((one) => one()));

/** Something that answers like a collector's admin port. */
async function answering(status: number, body: string): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url === "/api/v1/doctor" ? status : 404).end(body);
  });
  stop.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a running collector's diagnosis is shown like a dump's", async () => {
  const json = await runCli("doctor", dump, "--format", "json");
  const url = await answering(200, json.stdout);
  expect((await runCli("doctor", url)).stdout).toBe((await runCli("doctor", dump)).stdout);
  expect((await runCli("doctor", url, "--format", "json")).stdout).toBe(json.stdout);
});

test("what answers something else, or asks for a token, is said with a way out", async () => {
  const other = await runCli("doctor", await answering(200, "<html></html>"));
  expect(other.code).toBe(2);
  expect(other.stderr).toContain("responds, but not like a collector's admin port");
  const closed = await runCli("doctor", await answering(401, "{}"));
  expect(closed.code).toBe(2);
  expect(closed.stderr).toContain("TRACEJURY_TOKEN");
});
