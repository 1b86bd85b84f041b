import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Account, spanAccount } from "../support/span-account.ts";
import { type Accounts, settle } from "./accounts.ts";
import { agentTrace } from "./agent-trace.ts";
import { fickleBackend, type FickleBackend, flappingBackend } from "./fickle-backend.ts";
import { grpcSender, httpSender, type Sender, sendUntilTaken } from "./senders.ts";
import { type ServeConfig, serveConfig, type ServePorts } from "./serve-config.ts";
import { ServeProcess, type ServeProcessOptions } from "./serve-process.ts";
import { repeating, simulatedDelay, until } from "../support/eventually.ts";

export interface ChaosOptions {
  readonly kills: number;
  /** Random numbers from 0 to 1. */
  readonly random: () => number;
  /** Longest life of a process, in milliseconds. */
  readonly longestLifeMs?: number;
  /**
   * How long the processes that are killed retain spans of judged traces; default `1s`, as that of the last process. A batch that its sender
   * repeats later, because the process that took it was killed, is taken for a trace of its own.
   */
  readonly lateWindow?: string;
  readonly durability?: "flush" | "fsync";
  readonly budget?: string;
  /** Where the journal is; a folder of its own by default. */
  readonly dataDir?: string;
  /** Bytes in each tool's result. */
  readonly padding?: number;
  /** Sends of both protocols at a time, each. */
  readonly parallel?: number;
  /** Error codes with which the journal fails for a part of each life, in turn. */
  readonly faults?: readonly string[];
  readonly clockJumps?: boolean;
  /** Everything is sent on as well, to a backend that often does not take it, or that comes and goes. */
  readonly forwards?: "fickle" | "flapping";
  /** Called between a kill and the next start. */
  readonly meanwhile?: (journal: string) => void;
  /** Called when a life begins; ends with what it gives before the kill. */
  readonly during?: (life: number) => () => void;
  readonly onLife?: (life: number) => void;
}

export interface ChaosReport extends Accounts {
  readonly kills: number;
  /** Times that the process ended by itself. */
  readonly crashes: number;
  readonly refusals: number;
  /** Acknowledged spans that the backend has not got. */
  readonly unsent: number;
  /** Verdicts of the file that the store has not got; below zero: that it has twice. */
  readonly unstored: number;
  /** The largest the journal's folder was. */
  readonly journalBytes: number;
  /** What is left of it when everything is finished and the process was stopped. */
  readonly leftBytes: number;
  /** What became of the spans that the last process saw. */
  readonly account: Account;
  readonly stopCode: number | null;
  readonly log: string;
}

const LAST_LATE_WINDOW = "1s";

/** Kills `serve` again and again while two senders send, then waits until all is judged and counts. */
export async function chaos(options: ChaosOptions): Promise<ChaosReport> {
  const folder = mkdtempSync(join(tmpdir(), "tracejury-chaos-"));
  try {
    return await new Chaos(options, folder).run();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

class Chaos {
  readonly #options: ChaosOptions;
  readonly #folder: string;
  readonly #journal: string;
  readonly #acknowledged = new Map<string, number>();
  readonly #series: number;
  readonly #sent = new Set<string>();
  #backend: FickleBackend | undefined;
  #refusals = 0;
  #traces = 0;
  #isOver = false;
  #journalBytes = 0;

  constructor(options: ChaosOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
    this.#journal = join(options.dataDir ?? folder, "journal");
    this.#series = 1 + Math.floor(options.random() * 2 ** 40);
  }

  async run(): Promise<ChaosReport> {
    const { kills, random, parallel = 4, longestLifeMs = 1500 } = this.#options;
    const { forwards } = this.#options;
    if (forwards === "fickle") this.#backend = await fickleBackend(random);
    if (forwards === "flapping") this.#backend = await flappingBackend(random);
    const { lateWindow = LAST_LATE_WINDOW } = this.#options;
    const { config, ...ports } = await this.#config(lateWindow);
    const { http, grpc, admin } = ports;
    const start: ServeProcessOptions = {
      config,
      clockJumps: this.#options.clockJumps ?? false,
      ...(this.#options.faults === undefined ? {} : { faultFile: join(this.#folder, "fault") }),
    };
    let serve = await ServeProcess.start(start);
    const senders = [httpSender(http), grpcSender(grpc)];
    const working = senders.flatMap((sender) => Array.from({ length: parallel }, () => this.#send(sender)));
    const endWatch = repeating(20, () => this.#measure());
    let crashes = 0;
    for (let life = 1; life <= kills; life++) {
      const end = this.#options.during?.(life);
      await this.#fail(life);
      await simulatedDelay(random() * longestLifeMs);
      end?.();
      if (serve.hasCrashed) crashes++;
      await serve.end("SIGKILL");
      this.#options.meanwhile?.(this.#journal);
      if (life === kills) await this.#config(LAST_LATE_WINDOW, ports);
      serve = await ServeProcess.start(start);
      this.#options.onLife?.(life);
    }
    this.#isOver = true;
    await Promise.all(working);
    for (const sender of senders) sender.close();
    await this.#judged(admin);
    await this.#sentOn(admin);
    await untilStill(
      async () => (await storeOf(admin))?.waiting ?? 0,
      "records that the store has not written",
    );
    endWatch();
    const account = await accountOf(admin);
    const store = await storeOf(admin);
    const stopCode = await serve.end("SIGTERM");
    this.#backend?.close();
    const accounts = this.#accounts();
    return {
      ...accounts,
      unstored: accounts.verdicts - (store?.verdicts ?? 0),
      kills,
      crashes,
      refusals: this.#refusals,
      unsent: this.#unsent(),
      journalBytes: this.#journalBytes,
      leftBytes: folderBytes(this.#journal),
      account,
      stopCode,
      log: serve.log,
    };
  }

  /** Lets the disk fail for a while. */
  async #fail(life: number): Promise<void> {
    const { faults = [], random, longestLifeMs = 1500 } = this.#options;
    const code = faults[life % faults.length];
    if (code === undefined) return;
    await simulatedDelay(random() * longestLifeMs * 0.5);
    writeFileSync(join(this.#folder, "fault"), code);
    await simulatedDelay(random() * longestLifeMs * 0.5);
    rmSync(join(this.#folder, "fault"));
  }

  /** A trace after the other: its tools in some requests, its root last, so that it is over only when all of it is there. */
  async #send(sender: Sender): Promise<void> {
    const { random, padding = 0 } = this.#options;
    while (!this.#isOver) {
      const tools = 1 + Math.floor(random() * 6);
      const trace = agentTrace(this.#series, ++this.#traces, tools, Math.floor(random() * padding));
      const cut = Math.floor(random() * (tools + 1));
      const requests = [trace.tools.slice(0, cut), trace.tools.slice(cut)].filter(({ length }) => length > 0);
      const never = (): boolean => false;
      await Promise.all(
        requests.map(async (spans) => this.#count(await sendUntilTaken(sender, spans, never))),
      );
      this.#count(await sendUntilTaken(sender, [trace.root], never));
      this.#acknowledged.set(trace.traceId, tools);
      for (const { spanId } of [...trace.tools, trace.root]) this.#sent.add(spanId);
      await simulatedDelay(random() * 20);
    }
  }

  #count(refused: number | null): void {
    this.#refusals += refused ?? 0;
  }

  /** Waits until every acknowledged trace has a verdict, and can get no other: no span of it is retained any more. */
  async #judged(admin: number): Promise<void> {
    await untilStill(() => this.#accounts().missing.length, "acknowledged traces without a verdict");
    await untilStill(async () => {
      const { open, rest } = await accountOf(admin);
      return open + rest;
    }, "spans that are open or retained");
  }

  /**
   * Waits until the backend has every acknowledged span, and until the journal holds none: what was taken from a process that was killed
   * is sent once more, and may be refused meanwhile.
   */
  async #sentOn(admin: number): Promise<void> {
    if (this.#options.forwards === "fickle") this.#backend?.calm();
    await untilStill(() => this.#unsent(), "spans that the backend has not got");
    await untilStill(async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text();
      return Number(/^tracejury_journal_live_bytes(?:\{[^}]*\})? (\d+)/m.exec(metrics)?.[1]);
    }, "bytes that the journal still needs");
  }

  #unsent(): number {
    const { spanIds } = this.#backend ?? {};
    if (spanIds === undefined) return 0;
    return [...this.#sent].filter((id) => !spanIds.has(id)).length;
  }

  #accounts(): Accounts {
    return settle(join(this.#folder, "verdicts.jsonl"), this.#acknowledged);
  }

  #measure(): void {
    this.#journalBytes = Math.max(this.#journalBytes, folderBytes(this.#journal));
  }

  /** On the given ports, or on free ones. */
  #config(lateWindow: string, ports?: ServePorts): Promise<ServeConfig> {
    const { durability = "flush", budget = "64MiB", dataDir = this.#folder } = this.#options;
    const settings = {
      data_dir: dataDir,
      assemble: { root_quiet: "200ms", root_open: "300ms", late_window: lateWindow },
      journal: { durability, budget },
      export: { file: join(this.#folder, "verdicts.jsonl") },
      telemetry: { log_format: "json" },
      ...(this.#backend === undefined
        ? {}
        : { forward: [{ endpoint: this.#backend.endpoint, timeout: "2s" }] }),
    };
    return serveConfig(this.#folder, settings, "config.yaml", ports);
  }
}

async function accountOf(admin: number): Promise<Account> {
  return spanAccount(await (await fetch(`http://127.0.0.1:${admin}/metrics`)).text());
}

/** Waits until a count is zero: as long as it changes from time to time, however long that takes. */
interface StoreStatus {
  readonly verdicts: number;
  readonly waiting: number;
}

async function storeOf(admin: number): Promise<StoreStatus | null> {
  const status = await fetch(`http://127.0.0.1:${admin}/api/status`);
  return ((await status.json()) as { store: StoreStatus | null }).store;
}

async function untilStill(countOf: () => number | Promise<number>, what: string): Promise<void> {
  let left = await countOf();
  while (left > 0) {
    const before = left;
    await until(
      async () => (await countOf()) !== before,
      () => `fewer than ${before} ${what}`,
    );
    left = await countOf();
  }
}

function folderBytes(folder: string): number {
  try {
    return readdirSync(folder).reduce((sum, name) => sum + sizeOf(join(folder, name)), 0);
  } catch {
    return 0;
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
