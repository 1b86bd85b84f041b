import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Below the ports that Linux, macOS and Windows give to connections and to servers that ask for any port. */
const FIRST = 10_240;
const LAST = 32_767;
const claimed = new Set<string>();

process.once("exit", () => {
  for (const claim of claimed) rmSync(claim, { force: true });
});

/**
 * A port of 127.0.0.1 that stays this test process's until it ends, so that a server which is killed finds it free again: no connection
 * gets it from the system, and no other test process takes it.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (claim(port) && (await isFree(port))) return port;
  }
}

/** Claims the port with a file that holds the process's id. The claim of a process that is gone is void. */
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

/** NaN while the claim is being written, which counts as alive. */
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
