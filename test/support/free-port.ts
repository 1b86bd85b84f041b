import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Linux, macOS and Windows take the ports of outgoing connections, and of servers that ask for any port, from above this range. */
const FIRST = 10_240;
const LAST = 32_767;
const claimed = new Set<string>();

process.once("exit", () => {
  for (const claim of claimed) rmSync(claim, { force: true });
});

/**
 * A port of 127.0.0.1 that stays reserved for this test process until it ends. So a killed server can be restarted on the same port:
 * neither a connection nor another test process takes it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (claim(port) && (await isFree(port))) return port;
  }
}

/** Reserves the port with a file that contains the process id. The reservation of an ended process is ignored. */
function claim(port: number): boolean {
  const folder = join(tmpdir(), "tracejury-test-ports");
  mkdirSync(folder, { recursive: true });
  const file = join(folder, String(port));
  if (claimed.has(file)) return false;
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
  } catch {
    if (isAlive(ownerOf(file))) return false;
    rmSync(file, { force: true });
    return claim(port);
  }
  claimed.add(file);
  return true;
}

/** NaN while the file is being written; the reservation then counts as valid. */
function ownerOf(file: string): number {
  try {
    return Number(readFileSync(file, "utf8") || NaN);
  } catch {
    return NaN;
  }
}

function isAlive(pid: number): boolean {
  try {
    return Number.isNaN(pid) || process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  const isListening = await Promise.race([
    once(server, "listening").then(() => true),
    new Promise<false>((resolve) => server.once("error", () => resolve(false))),
  ]).catch(() => false);
  if (isListening) await new Promise((resolve) => server.close(resolve));
  return isListening;
}
