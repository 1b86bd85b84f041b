import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";

async function answers(address: string): Promise<boolean> {
  try {
    return (await fetch(`http://${address}/healthz`)).ok;
  } catch {
    return false;
  }
}

test.skipIf(process.platform === "win32")(
  "SIGTERM to npm also ends the server that npm start started",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "tracejury-npm-start-"));
    const admin = `127.0.0.1:${await freePort()}`;
    const settings = [
      `admin=${admin}`,
      "receive.http=127.0.0.1:0",
      "receive.grpc=127.0.0.1:0",
      `data_dir=${folder}`,
    ];
    const words = ["start", "--", ...settings.flatMap((setting) => ["--set", setting])];
    // A process group of its own, so that the test can end a server that outlives npm.
    const npm = spawn("npm", words, { stdio: "ignore", detached: true });
    onTestFinished(() => {
      try {
        process.kill(-(npm.pid ?? 0), "SIGKILL");
      } catch {
        // All processes of the group have ended.
      }
      rmSync(folder, { recursive: true, force: true });
    });
    await until(() => answers(admin));

    npm.kill("SIGTERM");
    await until(async () => !(await answers(admin)));
    expect(npm.exitCode ?? npm.signalCode).not.toBeNull();
  },
);

test("serve may start npm start's file again with its arguments, to set the allocator up", () => {
  const helpOf = (...words: readonly string[]) =>
    spawnSync(process.execPath, ["bin/start.js", ...words, "--help"], { encoding: "utf8" }).stdout;
  expect(helpOf("serve", "--demo")).toContain("--demo");
  expect(helpOf("serve", "--demo")).toBe(helpOf());
});

test("npm start chooses free ports for those in use, and its commands name the real addresses", async () => {
  const held: string[] = [];
  for (let n = 0; n < 3; n++) {
    const holder = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void holder.close());
    await once(holder, "listening");
    held.push(`127.0.0.1:${(holder.address() as AddressInfo).port}`);
  }
  const settings = ["receive.grpc", "receive.http", "admin"].flatMap((key, at) => [
    "--set",
    `${key}=${held[at]}`,
  ]);
  const server = spawn(process.execPath, ["bin/start.js", ...settings], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  let [stdout, stderr] = ["", ""];
  server.stdout.on("data", (data: Buffer) => (stdout += data.toString()));
  server.stderr.on("data", (data: Buffer) => (stderr += data.toString()));
  await until(() => stderr.includes("tracejury test --exec"));

  const { listening } = JSON.parse(stdout) as { listening: Record<"http" | "grpc" | "admin", string> };
  const { http, grpc, admin } = listening;
  for (const address of [http, grpc, admin]) expect(held).not.toContain(address);
  const port = (address = ""): string => address.replace(/^.*:/, "");
  const moves = [grpc, http, admin].map((to, at) => `${port(held[at])} → ${port(to)}`);
  expect(stderr).toContain(`Ports in use, probably by another tracejury`);
  expect(stderr).toContain(`: ${moves.join(", ")}\n`);
  expect(stderr).toContain(`OTEL_EXPORTER_OTLP_ENDPOINT=http://${http} python agent.py`);
  expect(stderr).toContain(`tracejury init --from http://${admin} `);
  const paths = [/alias tracejury="node ([^"]+)"/, /^(\S+README\.md)$/m].map(
    (one) => one.exec(stderr)?.[1] ?? "",
  );
  expect(paths.map((path) => existsSync(path))).toEqual([true, true]);
});
