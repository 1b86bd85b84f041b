import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Folder of PostgreSQL's programs; undefined if PostgreSQL is not installed. */
function findPrograms(): string | undefined {
  const folders = [
    ...(process.env["PATH"] ?? "").split(":"),
    ...Array.from({ length: 10 }, (_, at) => `/usr/lib/postgresql/${20 - at}/bin`),
  ];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

const programs = findPrograms();
export const hasPostgres = programs !== undefined;

/** PostgreSQL refuses to run as root. */
const user = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};

function idOf(which: string): number {
  try {
    return Number(execFileSync("id", [which, "postgres"], { stdio: ["ignore", "pipe", "ignore"] }));
  } catch {
    return 65_534;
  }
}

/** A PostgreSQL server on a free port of this machine. Its data are deleted when it ends. */
export class PostgresServer {
  readonly port: number;
  readonly #folder: string;
  #child: ChildProcess | undefined;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
  }

  static async start(): Promise<PostgresServer> {
    const folder = temporaryFolder();
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
    execFileSync(
      join(programs ?? "", "initdb"),
      ["-D", join(folder, "data"), "-U", "tester", "-A", "trust", "-N", "--locale=C", "-E", "UTF8"],
      { ...user, stdio: "ignore", cwd: folder },
    );
    const server = new PostgresServer(folder, await freePort());
    await server.up();
    return server;
  }

  get url(): string {
    return `postgres://tester@127.0.0.1:${this.port}/postgres`;
  }

  /** Starts the server with its present data. */
  async up(): Promise<void> {
    const settings = ["fsync=off", "shared_buffers=16MB", "listen_addresses=127.0.0.1"];
    const words = ["-D", join(this.#folder, "data"), "-p", String(this.port), "-k", this.#folder];
    const child = spawn(
      join(programs ?? "", "postgres"),
      [...words, ...settings.flatMap((setting) => ["-c", setting])],
      { ...user, cwd: this.#folder, stdio: ["ignore", "ignore", "pipe"] },
    );
    this.#child = child;
    let said = "";
    await new Promise<void>((resolve, reject) => {
      child.stderr.on("data", (chunk: Buffer) => {
        said = `${said}${chunk.toString()}`.slice(-5_000);
        if (said.includes("ready to accept connections")) resolve();
      });
      child.once("exit", () => reject(new Error(`postgres did not start: ${said}`)));
    });
  }

  /** Ends the server like a crash: connections break immediately. */
  async down(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    const ended = once(child, "exit");
    child.kill("SIGQUIT");
    await ended;
  }

  async remove(): Promise<void> {
    await this.down();
    rmSync(this.#folder, { recursive: true });
  }
}
