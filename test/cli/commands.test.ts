import { once } from "node:events";
import { readdirSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

test.each([
  ["explain", "inspect DUMP --explain"],
  ["lint", "validate FILE"],
])("%s is no command: %s does it", async (name, meant) => {
  const { code, stderr } = await runCli(name);
  expect(code).toBe(2);
  expect(stderr).toContain(`did you mean tracejury ${meant}?`);
});

test("inspect says when there is nothing to see", async () => {
  expect(await runCli("inspect", "test/fixtures/specs")).toMatchObject({ code: 2, stdout: "" });
});

test.each(["calibrate", "coverage", "strength", "judge-audit"])(
  "%s asks for a spec if the configuration names none",
  async (command) => {
    const { code, stdout, stderr } = await runCli(command, "test/fixtures/runs", "--set", "specs=[]");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("no spec is given\n  fix: name a spec, as in --spec");
  },
);

test("without --spec the configuration's specs are used", async () => {
  const words = ["coverage", "test/fixtures/runs", "--format", "json"];
  const configured = await runCli(...words, "--set", "specs=[specs/rag-agent.yaml]");
  expect(configured).toEqual(await runCli(...words, "--spec", "specs/rag-agent.yaml"));
  expect(configured.code).toBe(0);
});

test.each(["spec", "config", "verdict"])("schema %s prints a JSON Schema", async (which) => {
  expect(JSON.parse((await runCli("schema", which)).stdout)).toHaveProperty("$schema");
});

test("serve that cannot listen leaves no data folder behind", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const folder = temporaryFolder();
  const { port } = server.address() as AddressInfo;
  try {
    const settings = [`data_dir=${join(folder, "data")}`, `admin=127.0.0.1:${port}`, "receive.http=off"];
    const words = [...settings, "receive.grpc=127.0.0.1:0"].flatMap((one) => ["--set", one]);
    const { code, stderr } = await runCli("serve", "--no-config", ...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(String(port))]);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    server.close();
  }
});
