import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { agentTrace } from "./agent-trace.ts";
import { grpcSender, httpSender, sendUntilTaken } from "./senders.ts";
import { serveConfig } from "./serve-config.ts";
import { ServeProcess } from "./serve-process.ts";
import { until } from "../support/eventually.ts";
import { syncedAnswers } from "./synced-answers.ts";

/**
 * Watches the system calls of a `serve` with `durability: fsync` while requests come one after the other, half of them over gRPC.
 * Throws when an answer left before its request was synced.
 */
export async function provesSync(requests: number): Promise<object> {
  try {
    execFileSync("strace", ["-V"], { stdio: "ignore" });
  } catch {
    return { skipped: "strace is not here" };
  }
  const folder = mkdtempSync(join(tmpdir(), "tracejury-sync-"));
  try {
    const calls = join(folder, "calls");
    const { config, http, grpc } = await serveConfig(folder, {
      data_dir: folder,
      admin: "off",
      journal: { durability: "fsync" },
    });
    const watched = "trace=fdatasync,write,writev,sendto,sendmsg";
    const under = ["strace", "-D", "-f", "-yy", "-xx", "-s", "64", "-e", watched, "-o", calls];
    const serve = await ServeProcess.start({ config, under });
    const senders = [httpSender(http), grpcSender(grpc)];
    for (let n = 1; n <= requests; n++) {
      const sender = senders[n % 2];
      if (sender !== undefined) await sendUntilTaken(sender, agentTrace(1, n, 3).tools, () => false);
    }
    for (const sender of senders) sender.close();
    await serve.end("SIGTERM");
    // strace pads process ids to five characters.
    const ended = new RegExp(`^${serve.pid} +\\+\\+\\+ exited`, "m");
    await until(
      () => ended.test(readFileSync(calls, "utf8")),
      "strace, which outlives it, writes its last line",
    );
    const { answers, syncs, unsynced } = syncedAnswers(calls);
    if (answers < requests || unsynced > 0) {
      throw new Error(`${unsynced} of ${answers} answers to ${requests} requests left before a sync`);
    }
    return { requests, answers, syncs, unsynced };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
