import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runTree } from "../../src/report/render/commands/run-tree.ts";
import { plainTheme } from "../../src/report/render/terminal/printable.ts";
import { shortPath } from "../../src/support/process/short-path.ts";
import { runCli } from "../support/run-cli.ts";
import { runOf } from "../support/run-of.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const dir = temporaryFolder();

test.each(["receive.http", "receive.grpc", "admin"])("--set %s takes a port alone", async (key) => {
  const { code, stderr } = await runCli("config", "print", "--set", `${key}=4400`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test.each([
  ["an image", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d)],
  ["noise", Uint8Array.from({ length: 3000 }, (_, at) => (at * 167 + 31) % 256)],
  ["an archive", Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 0, 0, 8, 0, 0xff, 0xfe)],
])("%s as a dump is no OTLP, and the message says so", async (name, bytes) => {
  const file = join(dir, `${name.replace(" ", "-")}.bin`);
  writeFileSync(file, bytes);
  const { code, stderr } = await runCli("inspect", file);
  expect(code).toBe(2);
  expect(stderr).toContain("the file is not OTLP");
});

test("hand-offs stand in their place in the tree", () => {
  const run = runOf({
    tools: ["before", "after"],
    handoffs: [{ from: "triage", to: "billing" }],
    stepOrder: [
      { kind: "tool", index: 0, startUnixMs: 1 },
      { kind: "handoff", index: 0, startUnixMs: 2 },
      { kind: "tool", index: 1, startUnixMs: 3 },
    ],
  });
  const order = [...runTree(run, plainTheme).matchAll(/(before|after|hand-off triage → billing)/g)].map(
    ([found]) => found,
  );
  expect(order).toEqual(["before", "hand-off triage → billing", "after"]);
});

test.each([
  ["/project/specs/v1.json", "specs/v1.json"],
  ["/project", "/project"],
  ["/projects/v1.json", "/projects/v1.json"],
  ["/other/v1.json", "/other/v1.json"],
  ["specs/v1.json", "specs/v1.json"],
])("%s is shown as %s in the folder /project", (file, shown) => {
  expect(shortPath(file, "/project")).toBe(shown);
});
