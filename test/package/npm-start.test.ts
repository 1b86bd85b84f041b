import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
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
